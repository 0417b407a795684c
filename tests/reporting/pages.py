"""Pages to look at: everything live that a model can have."""

from __future__ import annotations

import clearwood as cw
from clearwood.models.model import Model
from clearwood.reporting.page import Page, Section, Summary, hints_of, live, page_of
from clearwood.working.derivation import Derivation


def study(model: Model, table: cw.Table, title: str = "A study", derivation: Derivation | None = None) -> str:
    """A page with the tree, the form and the steps, as far as there are some."""
    sections = [Section("ask", "Ask it about a row", live("form"))]
    summaries: list[Summary] = []
    if isinstance(model, cw.Tree):
        sections.insert(0, Section("tree", "The tree", live("tree")))
        summaries = [Summary((("node", f"number {node}"),)) for node in model]
    if derivation is not None:
        sections.append(Section("steps", "How it came about", live("steps")))
    return page_of(
        Page(
            title=title,
            model=model,
            sections=tuple(sections),
            hints=hints_of(table),
            summaries=summaries,
            derivation=derivation,
        )
    )


def tennis() -> tuple[cw.Tree, cw.Table]:
    """The book's tree and its fourteen days."""
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    return cw.ID3().learn(table), table
