// SPDX-License-Identifier: Apache-2.0
// Small plots in SVG. Texts are set as text, never as markup.
"use strict";
const SVG = "http://www.w3.org/2000/svg";
const W = 340, H = 200, LEFT = 52, BOTTOM = 34, TOP = 12, RIGHT = 12;

function shape(parent, name, attributes, text) {
  const found = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  if (text !== undefined) found.textContent = text;
  parent.append(found);
  return found;
}

function short(x) {
  if (typeof x !== "number") return String(x);
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(1) : String(Number(x.toPrecision(3)));
}

function scale(low, high, from, to, log) {
  const turn = log ? Math.log10 : x => x;
  const a = turn(low), span = turn(high) - a || 1;
  return x => from + (turn(x) - a) / span * (to - from);
}

function figure(where, title, told) {
  const found = document.createElement("figure"), caption = document.createElement("figcaption");
  caption.textContent = title;
  const svg = shape(found, "svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${title}: ${told}` });
  found.append(caption);
  document.getElementById(where).append(found);
  shape(svg, "path", { class: "axis", d: `M${LEFT} ${TOP}V${H - BOTTOM}H${W - RIGHT}` });
  return svg;
}

function ends(svg, x0, x1, y0, y1, label) {
  const y = H - BOTTOM + 13;
  shape(svg, "text", { x: LEFT, y }, short(x0));
  shape(svg, "text", { x: W - RIGHT, y, "text-anchor": "end" }, short(x1));
  shape(svg, "text", { x: LEFT - 4, y: H - BOTTOM, "text-anchor": "end" }, short(y0));
  shape(svg, "text", { x: LEFT - 4, y: TOP + 8, "text-anchor": "end" }, short(y1));
  shape(svg, "text", { x: (LEFT + W - RIGHT) / 2, y: H - 4, "text-anchor": "middle" }, label);
}

function say(where, text) {
  const told = document.createElement("p");
  told.textContent = text;
  document.getElementById(where).before(told);
}

function histogram(row, edges) {
  const total = row.counts.reduce((a, b) => a + b, 0), most = Math.max(...row.counts);
  const svg = figure("histograms", row.name, `${total} results, largest error ${short(row.max)} ulp`);
  const wide = (W - LEFT - RIGHT) / row.counts.length, y = scale(0, Math.log1p(most), H - BOTTOM, TOP);
  row.counts.forEach((n, i) => {
    const top = y(Math.log1p(n)), x = LEFT + i * wide;
    const bar = shape(svg, "rect", { class: "mark", x: x + 1, y: top, width: wide - 2, height: H - BOTTOM - top });
    shape(bar, "title", {}, `from ${edges[i]} ulp: ${n}`);
    shape(svg, "text", { x, y: H - BOTTOM + 12, "text-anchor": "middle" }, edges[i]);
  });
  shape(svg, "text", { x: LEFT - 4, y: TOP + 8, "text-anchor": "end" }, short(most));
  shape(svg, "text", { x: (LEFT + W) / 2, y: H - 4, "text-anchor": "middle" }, `|error| in ulp, max ${short(row.max)}; counts logarithmic`);
}

function points(row) {
  const signed = Math.asinh, inputs = row.points.map(p => p[0]), worst = Math.max(...row.points.map(p => p[1]));
  const low = Math.min(...inputs), top = Math.max(...inputs), high = Math.max(worst, 1);
  const told = worst <= .5 ? "all correctly rounded" : `largest error ${short(worst)} ulp`;
  const svg = figure("points", `${row.name}: ${told}`, `${row.points.length} inputs`);
  const x = scale(signed(low), signed(top), LEFT + 4, W - RIGHT - 4), y = scale(0, high, H - BOTTOM, TOP);
  shape(svg, "path", { class: "floor", d: `M${LEFT} ${y(.5)}H${W - RIGHT}` });
  shape(svg, "text", { x: LEFT - 4, y: y(.5) + 4, "text-anchor": "end" }, high < 8 ? "0.5" : "");
  for (const [input, error] of row.points) {
    const dot = shape(svg, "circle", { class: "mark", cx: x(signed(input)), cy: y(error), r: 2.5 });
    shape(dot, "title", {}, `input ${input}: ${error} ulp`);
  }
  ends(svg, low, top, 0, high, "input (asinh) and |error| in ulp");
}

function roofline(found) {
  const rates = found.points.flatMap(p => [p.low, p.high]), intensities = found.points.map(p => p.intensity);
  const x0 = Math.min(...intensities) / 2, x1 = Math.max(...intensities) * 4;
  const under = (width, peak) => at => width && peak ? Math.min(peak, at * width) : peak || at * width;
  const roof = under(found.bandwidth, found.peak), floor = under(found.floor_bandwidth, found.floor_peak);
  const y0 = Math.min(...rates, roof(x0), floor(x0)) / 2, y1 = Math.max(...rates, roof(x1)) * 2;
  const svg = figure("roofline", found.title, found.points.map(p => `${p.name} ${short(p.rate)}`).join(", "));
  const x = scale(x0, x1, LEFT, W - RIGHT, true), y = scale(y0, y1, H - BOTTOM, TOP, true);
  for (const [kind, line, width, peak] of [["curve", roof, found.bandwidth, found.peak],
    ["floor", floor, found.floor_bandwidth, found.floor_peak]]) {
    const bend = peak && width ? Math.min(x1, Math.max(x0, peak / width)) : x1;
    shape(svg, "path", { class: kind, d: "M" + [x0, bend, x1].map(at => `${x(at)} ${y(line(at))}`).join("L") });
  }
  let last = -99;
  for (const p of [...found.points].sort((a, b) => b.rate - a.rate)) {
    shape(svg, "path", { class: "axis", d: `M${x(p.intensity)} ${y(p.low)}V${y(p.high)}` });
    const dot = shape(svg, "circle", { class: "mark", cx: x(p.intensity), cy: y(p.rate), r: 4 });
    shape(dot, "title", {}, `${p.name}: ${short(p.rate)}, ${short(p.low)} to ${short(p.high)}`);
    const end = x(p.intensity) > W - 110, at = last = Math.max(y(p.rate) + 14, last + 12);
    shape(svg, "text", { x: x(p.intensity) + (end ? -6 : 6), y: at, "text-anchor": end ? "end" : "start" }, p.name);
  }
  ends(svg, x0, x1, y0, y1, "operations per byte; operations per second");
}

function curve(row) {
  const names = Object.keys(row.series), all = Object.values(row.series).flat(), length = row.series[names[0]].length;
  const low = Math.min(0, ...all), high = Math.max(low + row.least, ...all);
  const grown = names.map(n => `${n} ${short(row.series[n][length - 1])} KiB`).join(", ");
  const svg = figure("memory", `${row.name}: grown by ${grown}`, "since the first mark");
  const x = scale(0, Math.max(length - 1, 1), LEFT, W - RIGHT), y = scale(low, high, H - BOTTOM, TOP);
  names.forEach((name, n) => {
    shape(svg, "path", { class: n ? "curve other" : "curve", d: "M" + row.series[name].map((v, i) => `${x(i)} ${y(v)}`).join("L") });
    shape(svg, "text", { x: LEFT + 8, y: TOP + 12 + 12 * n }, `${n ? "dashed" : "line"}: ${name}`);
  });
  ends(svg, 0, (length - 1) * row.step, low, high, "rounds; growth since the first mark in KiB");
}

function course(row) {
  const at = row.points.map(p => p[0]), values = row.points.map(p => p[1]);
  const low = Math.min(...values), high = Math.max(...values), room = (high - low) * .1 || Math.abs(high) * .1 || 1;
  const svg = figure("soak", row.name, `from ${short(low)} to ${short(high)}`);
  const x = scale(0, at[at.length - 1], LEFT, W - RIGHT), y = scale(low - room, high + room, H - BOTTOM, TOP);
  shape(svg, "path", { class: "curve", d: "M" + row.points.map(p => `${x(p[0])} ${y(p[1])}`).join("L") });
  if (row.points.length === 1) shape(svg, "circle", { class: "mark", cx: x(at[0]), cy: y(values[0]), r: 3 });
  ends(svg, 0, at[at.length - 1], low - room, high + room, `time in ${row.unit}`);
}

function timeline(row) {
  const streams = [...new Set(row.spans.map(s => s[0]))], end = Math.max(...row.spans.map(s => s[3]));
  const begin = Math.min(...row.spans.map(s => s[2])), tall = (H - BOTTOM - TOP) / streams.length;
  const svg = figure("timeline", row.name, `${row.spans.length} spans on ${streams.length} streams`);
  const x = scale(begin, end, LEFT, W - RIGHT);
  for (const [stream, label, from, to] of row.spans) {
    const at = TOP + streams.indexOf(stream) * tall;
    const bar = shape(svg, "rect", { class: "mark", x: x(from), y: at + 2, width: Math.max(1, x(to) - x(from)), height: tall - 4 });
    shape(bar, "title", {}, `${label} on ${stream}: ${from} to ${to} ${row.unit}`);
  }
  ends(svg, begin, end, "", "", `time in ${row.unit}`);
  streams.forEach((s, i) => shape(svg, "text", { x: 2, y: TOP + (i + .6) * tall }, s));
}

function draw(plots) {
  const parts = [["histograms", plots.histograms, r => histogram(r, plots.edges)], ["points", plots.points, points],
    ["roofline", plots.roofline ? [plots.roofline] : [], roofline], ["memory", plots.curves, curve],
    ["timeline", plots.timelines, timeline], ["soak", plots.soaks, course]];
  if (plots.rounded) say("points", "Every result is the correctly rounded one: no error exceeds half a unit in the last place.");
  for (const [where, rows, one] of parts) if (rows.length || where !== "points" || !plots.rounded) rows.length ? rows.forEach(one) : say(where, "Not measured in this run.");
}
