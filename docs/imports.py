"""The figures on the page of imports, made from the last proofs on all reference tables, by a hook of mkdocs.

The page has `<!-- imports: figures -->` where they shall stand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

MARK: Final = "<!-- imports: figures -->"
FIGURES: Final = Path(__file__).with_name("importing.json")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with its table."""
    return markdown.replace(MARK, figures()) if MARK in markdown else markdown


def figures() -> str:
    """A line for each origin, and one for all."""
    if not FIGURES.exists():
        return "`make prove` has not been run."
    known: dict[str, Any] = json.loads(FIGURES.read_text("utf-8"))
    lines = ["| origin | asked | tables | rows | different | largest gap |", "|---|---|---|---|---|---|"]
    lines += [_line(origin, each) for origin, each in known.items()]
    every = [figure for each in known.values() for figure in each["tables"].values()]
    rows, different = (sum(each.get(name, 0) for each in every) for name in ("rows", "different"))
    return "\n".join([*lines, "", f"Together {rows:,} rows, {different:,} of them different."])


def _line(origin: str, proven: Mapping[str, Any]) -> str:
    every = list(proven["tables"].values())
    asked = [each for each in every if "rows" in each]
    rows, different = (sum(each[name] for each in asked) for name in ("rows", "different"))
    largest = max((each["largest"] for each in asked), default=0.0)
    refused = len([each for each in every if "refused" in each])
    tables = f"{len(asked)}" + (f", {refused} refused" if refused else "")
    cells = (origin, proven["program"] or "not run", tables, f"{rows:,}", f"{different:,}", f"{largest:.1g}")
    return f"| {' | '.join(cells)} |"
