"""Bayes tables in a page: the prior, and for each column the counts that its chances come from."""

from __future__ import annotations

from typing import Final

from clearwood.draw.bayes import columns_of_text, prior_cells, table_cells
from clearwood.models.bayes_tables import BayesTables
from clearwood.report.markup import details, isolated, paragraph, table

_AT_ONCE: Final = 8  # tables that stand open
_SHORT: Final = 12  # values of a table that stands open
_LINES: Final = 60  # values shown


def tables_of(model: BayesTables) -> str:
    """Every table, the first few open."""
    assert model.schema.target is not None
    target = model.schema.target.name
    folds: list[str] = []
    open_ones = [
        table(("class", *model.schema.classes), [("prior", *prior_cells(model))], caption=f"P({target})")
    ]
    for place, distribution in enumerate(model.distributions):
        name = columns_of_text(distribution)
        cells = table_cells(model, distribution)
        width = len(model.schema.classes) + 1
        lines = [
            tuple(isolated(each) for each in [*line, *[""] * (width - len(line))]) for line in cells[:_LINES]
        ]
        left = len(cells) - _LINES
        more = paragraph(f"{left:,} more lines are in the model's file.", "muted") if left > 0 else ""
        caption = f"P({name} | {target})"
        html = f"<div>{table(('value', *model.schema.classes), lines, caption=caption)}{more}</div>"
        if place < _AT_ONCE and len(cells) <= _SHORT:
            open_ones.append(html)
        else:
            folds.append(details(caption, html))
    return f'<div class="charts">{"".join(open_ones)}</div>{"".join(folds)}'
