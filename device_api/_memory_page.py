# SPDX-License-Identifier: Apache-2.0
"""The picture of a memory snapshot: one HTML page without scripts and outside resources."""

from __future__ import annotations

from collections import defaultdict
from html import escape
from string import Template
from typing import Any

_PAGE = Template("""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Memory of $device</title>
<style>
body { font: 14px sans-serif; margin: 2em; color: #222; }
.bar { position: relative; height: 22px; margin: 2px 0 10px; background: #eee; }
.bar div { position: absolute; top: 0; bottom: 0; box-sizing: border-box;
  border-right: 1px solid #fff; min-width: 1px; }
.live { background: #2b6cb0; } .held { background: #dd8a1b; }
.free { background: #b7d7b0; } .uncarved { background: #dcdcdc; }
.key span { display: inline-block; padding: 1px 8px; margin-right: 8px; color: #111; }
.key .live { color: #fff; }
td, th { text-align: right; padding: 1px 10px; }
th:first-child, td:first-child { text-align: left; }
p.segment { margin: 8px 0 0; font-family: monospace; }
</style></head><body>
<h1>Memory of $device</h1>
<p>$summary</p>
<p class="key"><span class="live">live</span><span class="held">held for other streams</span
><span class="free">free</span><span class="uncarved">not cut up yet</span></p>
<h2>Segments</h2>
$segments
<h2>Live blocks by owner</h2>
<table><tr><th>owner</th><th>blocks</th><th>bytes</th><th>oldest (allocations ago)</th></tr>
$owners
</table></body></html>
""")


def human(size: float) -> str:
    """Return a size in the largest unit of 1024 that keeps it at 1 or more."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def _block(block: dict[str, Any], segment: dict[str, Any]) -> str:
    left = 100 * (block["address"] - segment["address"]) / segment["bytes"]
    width = 100 * block["bytes"] / segment["bytes"]
    tip = [f"{block['state']}, {human(block['bytes'])} at {block['address']:#x}"]
    if block["owner"]:
        tip.append(
            f"owner {block['owner']}, stream {block['stream']}, {block['age']} allocations ago"
        )
    if block["seconds"] is not None:
        tip.append(f"{block['seconds']:.3f} s ago")
    return (
        f'<div class="{escape(block["state"])}" title="{escape("; ".join(tip))}" '
        f'style="left:{left:.4f}%;width:{width:.4f}%"></div>'
    )


def _segment(segment: dict[str, Any]) -> str:
    blocks = segment["blocks"]
    live = sum(b["bytes"] for b in blocks if b["state"] == "live")
    head = f"{segment['address']:#x} {segment['use']} {human(segment['bytes'])}, {human(live)} live"
    bar = "".join(_block(b, segment) for b in blocks)
    return f'<p class="segment">{escape(head)}</p><div class="bar">{bar}</div>'


def _owners(segments: list[dict[str, Any]]) -> str:
    held: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for segment in segments:
        for block in segment["blocks"]:
            if block["state"] == "live":
                held[block["owner"]].append(block)
    rows = sorted(held.items(), key=lambda row: -sum(b["bytes"] for b in row[1]))
    return "\n".join(
        f"<tr><td>{escape(owner)}</td><td>{len(blocks)}</td>"
        f"<td>{human(sum(b['bytes'] for b in blocks))}</td>"
        f"<td>{max(b['age'] for b in blocks)}</td></tr>"
        for owner, blocks in rows
    )


def render(snapshot: dict[str, Any]) -> str:
    """Return the page that shows a snapshot of ``memory_snapshot``."""
    stats = snapshot["stats"]
    summary = (
        f"{human(stats['allocated'])} allocated in {stats['live']} blocks "
        f"(peak {human(stats['peak_allocated'])}); {human(stats['reserved'])} reserved in "
        f"{stats['segments']} segments; {human(stats['held_back'])} held for other streams; "
        f"fragmentation {stats['fragmentation']:.0%}; "
        f"limit {human(stats['limit']) if stats['limit'] else 'none'}"
    )
    return _PAGE.substitute(
        device=escape(snapshot["device"]),
        summary=escape(summary),
        segments="\n".join(map(_segment, snapshot["segments"])),
        owners=_owners(snapshot["segments"]),
    )
