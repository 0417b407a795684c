"""What the page of imports lists, made from the importers and from the last proofs, by a hook of mkdocs.

A page has `<!-- imports: read -->`, `refused` or `figures` where they shall stand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from clearwood.importing import IMPORTERS, importable_files, importable_objects

MARK: Final = re.compile(r"<!-- imports: ([a-z]+) -->")
FIGURES: Final = Path(__file__).with_name("importing.json")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with its tables."""
    return MARK.sub(lambda mark: PARTS[mark[1]](), markdown)


def _read() -> str:
    """In which forms models are imported, and of each origin what becomes of them."""
    forms = f"In memory: {importable_objects()}. Files: {importable_files()}."
    lines = [forms, "", "| origin | what | becomes |", "|---|---|---|"]
    for entry in IMPORTERS.values():
        lines += _rows(entry.program, entry.load().reads)
    return "\n".join(lines)


def _refused() -> str:
    lines = ["| origin | what | why |", "|---|---|---|"]
    for entry in IMPORTERS.values():
        lines += _rows(entry.program, entry.load().refuses)
    return "\n".join(lines)


def _rows(origin: str, cells: Iterable[tuple[str, str]]) -> list[str]:
    """Lines of a table, the first of which names the origin."""
    return [f"| {'' if place else origin} | {' | '.join(each)} |" for place, each in enumerate(cells)]


def _figures() -> str:
    """A line for each origin, and one for all."""
    if not FIGURES.exists():
        return "`make prove` has not been run."
    known: dict[str, Any] = json.loads(FIGURES.read_text("utf-8"))
    lines = ["| origin | asked | tables | rows | different | largest gap |", "|---|---|---|--:|--:|--:|"]
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


PARTS: Final[dict[str, Callable[[], str]]] = {"read": _read, "refused": _refused, "figures": _figures}
