"""How a derivation looks in a browser: the palette's colours in the light and dark themes, and in print."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from clearwood.draw.palette import DARK, LIGHT, Theme


def _colours(theme: Theme) -> str:
    return "".join(f"--{field.name}:{getattr(theme, field.name)};" for field in fields(theme))


STYLE: Final = (
    f""".cw-derivation{{{_colours(LIGHT)}color:var(--ink);background:var(--paper);
font:16px/1.5 Arial,Helvetica,'Liberation Sans',sans-serif;max-width:60rem;margin:0 auto;padding:1rem 1.5rem}}
@media screen and (prefers-color-scheme:dark){{.cw-derivation{{{_colours(DARK)}}}
body:has(>.cw-derivation){{background:{DARK.paper}}}}}
"""
    + """body:has(>.cw-derivation){margin:0}
.cw-derivation h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0 1rem}
.cw-derivation h2{font-size:.85rem;letter-spacing:.08em;text-transform:uppercase;
color:var(--muted);margin:2rem 0 0}
.cw-derivation h3{font-size:1.15rem;margin:1rem 0 .25rem}
.cw-derivation section{border-top:1px solid var(--line);margin-top:1rem}
.cw-figure{margin:.75rem 0}
.cw-says{display:grid;grid-template-columns:max-content 1.2rem 1fr;
column-gap:.35rem;row-gap:.45rem;align-items:baseline}
.cw-name{grid-column:1;font-weight:600;max-width:16rem;overflow-wrap:anywhere}
.cw-sign{grid-column:2;text-align:center;color:var(--muted)}
.cw-value{grid-column:3;overflow-x:auto;overflow-y:hidden}
.cw-value math{font-size:1.1em}
.cw-unit,.cw-again,.cw-remark,.cw-more{color:var(--muted)}
.cw-remark{margin:.2rem 0;font-size:.9em}
.cw-decision{border-left:3px solid var(--accent);padding-left:.75rem;font-weight:600}
.cw-derivation details{margin:.4rem 0 .4rem .25rem;padding-left:1rem;border-left:2px solid var(--line)}
.cw-derivation summary{cursor:pointer;color:var(--accent);font-size:.9em}
.cw-derivation .cw-step{margin:.4rem 0;padding:0;border:0}
.cw-derivation .cw-step>summary{color:inherit;font-size:1em;overflow-wrap:anywhere}
.cw-step>summary h3{display:inline;font-size:1rem}
.cw-decided{color:var(--muted);margin-inline-start:.5rem}
.cw-step[open]>summary .cw-decided{display:none}
.cw-derivation nav ul{margin:0;padding-inline-start:1.2rem}
.cw-derivation nav a{color:var(--accent)}
.cw-grid{overflow-x:auto;margin:.5rem 0}
.cw-grid table{border-collapse:collapse;font-size:.95em}
.cw-grid caption{text-align:left;color:var(--muted);padding-bottom:.2rem}
.cw-grid th,.cw-grid td{padding:.15rem .75rem;text-align:left;border:0;font-weight:400}
.cw-grid thead th{border-bottom:1px solid var(--muted);font-weight:600}
.cw-grid .cw-number{text-align:right;font-variant-numeric:tabular-nums}
.cw-grid .cw-chosen>*{font-weight:600;background:var(--panel)}
.cw-grid .cw-chosen>:first-child::before{content:"→ ";color:var(--accent)}
.cw-blank{display:inline-block;width:5rem;border-bottom:1px solid var(--ink)}
.cw-broad{width:min(24rem,70%)}
@media (max-width:40rem){.cw-says{grid-template-columns:1.2rem 1fr}.cw-name{grid-column:1/-1;max-width:none}
.cw-sign{grid-column:1}.cw-value{grid-column:2}}
@media print{.cw-derivation nav,.cw-decided{display:none}
.cw-derivation details::details-content{content-visibility:visible;block-size:auto}
.cw-figure .cw-says,.cw-grid tr{break-inside:avoid}}
"""
)
