// SPDX-License-Identifier: Apache-2.0
// Matrix, filters and table. Every text is set as text, never as markup: ids and texts are foreign.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const COLUMNS = ["id", "chapter", "op", "dtype", "verdict", "code", "seconds"];
const AT = Object.fromEntries(data.columns.map((name, i) => [name, i]));
const RANK = Object.fromEntries(data.verdicts.map((v, i) => [v, i]));
const PAGE = 50;
const state = { chapter: "", verdict: "", op: "", dtype: "", text: "", sort: "", down: false, page: 0 };
let rows = data.cases;

function element(name, attributes = {}, text) {
  const found = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  if (text !== undefined) found.textContent = text;
  return found;
}

function apply() {
  const exact = ["chapter", "verdict", "op", "dtype"].filter(k => state[k]), text = state.text.toLowerCase();
  rows = data.cases.filter(c => exact.every(k => c[AT[k]] === state[k]) &&
    (!text || `${c[AT.id]} ${c[AT.code]} ${c[AT.reason]}`.toLowerCase().includes(text)));
  if (state.sort) {
    const at = AT[state.sort], turn = state.down ? -1 : 1, key = state.sort === "verdict" ? v => RANK[v] : v => v;
    rows = [...rows].sort((a, b) => { const x = key(a[at]), y = key(b[at]); return turn * (x < y ? -1 : x > y ? 1 : 0); });
  }
  state.page = 0;
  show();
}

function show() {
  const last = Math.max(0, Math.ceil(rows.length / PAGE) - 1), from = state.page * PAGE;
  document.getElementById("shown").textContent =
    `${rows.length} of ${data.cases.length} cases; page ${state.page + 1} of ${last + 1}`;
  const table = element("table"), head = element("tr"), body = element("tbody");
  for (const name of COLUMNS) {
    const sorted = state.sort === name ? (state.down ? "descending" : "ascending") : "none";
    const th = element("th", { scope: "col", "aria-sort": sorted });
    const button = element("button", { type: "button", "data-sort": name }, name + ({ ascending: " ▲", descending: " ▼" }[sorted] || ""));
    button.addEventListener("click", () => {
      state.down = state.sort === name && !state.down; state.sort = name; apply();
      document.querySelector(`[data-sort=${name}]`).focus();
    });
    th.append(button); head.append(th);
  }
  for (const row of rows.slice(from, from + PAGE)) body.append(line(row));
  const thead = element("thead"); thead.append(head); table.append(thead, body);
  document.getElementById("table").replaceChildren(table);
  const pages = ["First", 0, "Previous", state.page - 1, "Next", state.page + 1, "Last", last], nav = document.getElementById("pages");
  nav.replaceChildren();
  for (let i = 0; i < pages.length; i += 2) {
    const button = element("button", { type: "button" }, pages[i]), to = Math.min(last, Math.max(0, pages[i + 1]));
    button.disabled = to === state.page;
    button.addEventListener("click", () => { state.page = to; show(); });
    nav.append(button, " ");
  }
}

function line(row) {
  const tr = element("tr");
  for (const name of COLUMNS) {
    const td = element("td", { class: name === "verdict" ? row[AT.verdict] : name });
    if (name === "id") {
      const button = element("button", { type: "button", "aria-expanded": "false" }, row[AT.id]);
      button.addEventListener("click", () => unfold(tr, button, row));
      td.append(button);
    } else td.textContent = row[AT[name]];
    tr.append(td);
  }
  return tr;
}

function unfold(tr, button, row) {
  const open = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!open));
  if (open) { tr.nextSibling.remove(); return; }
  const more = element("tr", { class: "details" }), td = element("td", { colspan: COLUMNS.length });
  const copy = element("button", { type: "button", class: "copy" }, "Copy"), replay = element("pre", {}, row[AT.replay]);
  copy.addEventListener("click", () => copyText(row[AT.replay], replay, copy));
  td.append(element("p", {}, `${row[AT.code]}: ${data.codes[row[AT.code]] || ""}`), element("p", {}, row[AT.reason] || "No remark."),
    element("strong", {}, "Replay "), copy, replay, element("strong", {}, "Observations"),
    element("pre", { tabindex: "0" }, JSON.stringify(row[AT.observations], null, 1)));
  more.append(td); tr.after(more);
}

async function copyText(text, replay, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch (error) {  // no clipboard for this page: the line is selected, to be copied by hand
    const range = document.createRange(); range.selectNodeContents(replay);
    getSelection().removeAllRanges(); getSelection().addRange(range);
    button.textContent = "Selected: copy it with the keyboard";
  }
}

function filters() {
  const form = document.getElementById("filters");
  form.addEventListener("submit", event => event.preventDefault());
  for (const name of ["chapter", "verdict", "op", "dtype", "text"]) {
    const label = element("label", {}, name), field = element(name === "text" ? "input" : "select", { id: `f-${name}` });
    if (name === "text") field.type = "search";
    else {
      field.append(element("option", { value: "" }, "all"));
      for (const value of [...new Set(data.cases.map(c => c[AT[name]]))].filter(Boolean).sort())
        field.append(element("option", { value }, name === "chapter" ? `${value} ${data.chapters[value] || ""}` : value));
    }
    field.addEventListener("input", () => { state[name] = field.value; apply(); });
    label.append(field); form.append(label);
  }
  const reset = element("button", { type: "button", id: "reset" }, "Show all");
  reset.addEventListener("click", () => choose({ chapter: "", verdict: "", op: "", dtype: "", text: "" }));
  form.append(reset);
}

function choose(wanted) {
  Object.assign(state, wanted);
  for (const name of Object.keys(wanted)) document.getElementById(`f-${name}`).value = wanted[name];
  apply();
}

function matrix() {
  const cells = new Map(), ops = new Set(), dtypes = new Set();
  for (const c of data.cases) {
    const op = c[AT.op], dtype = c[AT.dtype];
    if (!op || !dtype) continue;
    ops.add(op); dtypes.add(dtype);
    const key = JSON.stringify([op, dtype]), cell = cells.get(key) || { n: 0, worst: c[AT.verdict] };
    cell.n += 1;
    if (RANK[c[AT.verdict]] < RANK[cell.worst]) cell.worst = c[AT.verdict];
    cells.set(key, cell);
  }
  const where = document.getElementById("matrix");
  if (!ops.size) { where.append(element("p", {}, "Not measured in this run.")); return; }
  const table = element("table"), thead = element("thead"), head = element("tr"), body = element("tbody"), types = [...dtypes].sort();
  head.append(element("th", { scope: "col" }, "op"));
  for (const dtype of types) head.append(element("th", { scope: "col" }, dtype));
  for (const op of [...ops].sort()) {
    const tr = element("tr");
    tr.append(element("th", { scope: "row" }, op));
    for (const dtype of types) {
      const cell = cells.get(JSON.stringify([op, dtype])), td = element("td", { class: cell ? cell.worst : "" });
      if (cell) {
        const button = element("button", { type: "button", "aria-label": `${op} ${dtype}: ${cell.worst}, ${cell.n} cases` }, `${cell.worst} ${cell.n}`);
        button.addEventListener("click", () => choose({ chapter: "", verdict: "", op, dtype, text: "" }));
        td.append(button);
      }
      tr.append(td);
    }
    body.append(tr);
  }
  thead.append(head); table.append(thead, body); where.append(table);
}

filters();
matrix();
apply();
draw(data.plots);
document.body.dataset.ready = "yes";
