"""What decides in an ensemble: its columns by impurity, by SHAP values and by what shuffling them costs."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np

from clearwood.draw.ensemble import columns_listed
from clearwood.errors import ClearwoodError
from clearwood.explain.contributions import contributions
from clearwood.explain.forest_importances import importances
from clearwood.explain.permutation import permutation_importance
from clearwood.explain.shap import ShapValues, shap_values
from clearwood.models.ensemble import Ensemble
from clearwood.predict.columns import columns_used
from clearwood.report.markup import isolated, paragraph, percentage, pictures, table
from clearwood.report.page import hints_of
from clearwood.study.study import Study
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import in_digits, many

_COLUMNS: Final = 20
_CHARTS: Final = 3
_ROWS: Final = 300  # whose SHAP values are averaged
_FEWEST: Final = 30
_LEAF_VISITS: Final = 60_000_000  # of SHAP values, some seconds
_ASKED: Final = 20_000_000  # rows times trees, to shuffle columns
_SHUFFLES: Final = 5


def evidence_of_ensemble(study: Study, model: Ensemble, *, page_answers: bool) -> str:
    """A line for each column, the top ones along their cells, and an example if the page answers no row."""
    sample = _sample(study, model)
    values = None if sample is None else shap_values(model, sample)
    parts = [_table_of_columns(study, model, values)]
    if sample is not None and values is not None:
        parts.append(_charts(model, values, sample))
    if not page_answers:
        parts.append(_usual_row(study, model))
    return "\n".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class _Shuffled:
    """By column how much the loss rises when it is shuffled, with the standard error; on which rows."""

    loss: str
    on: str
    rises: dict[str, tuple[float, float]]


def _table_of_columns(study: Study, model: Ensemble, values: ShapValues | None) -> str:
    impurity = dict(columns_listed(model))
    moved = {} if values is None else _mean_sizes(values)
    shuffled = _shuffled(study, model)
    names = list(impurity) if impurity else sorted(columns_used(model))
    if moved:
        names.sort(key=lambda name: -moved.get(name, 0.0))
    elif shuffled is not None:
        names.sort(key=lambda name: -shuffled.rises.get(name, (0.0, 0.0))[0])
    if not names or not (impurity or moved or shuffled):
        return ""
    heads = ["column"]
    if moved and values is not None:
        heads.append(f"mean size of its SHAP values ({_scale(values)})")
    if impurity:
        heads.append("part of what all splits gained")
    if shuffled is not None:
        heads.append(f"{shuffled.loss} rises by, if shuffled")
    most = max(moved.values(), default=0.0) or 1.0
    lines = []
    for name in names[:_COLUMNS]:
        cells = [isolated(name)]
        if moved:
            size = moved.get(name, 0.0)
            cells.append(f"{in_digits(size, 3)} {_bar(size / most)}")
        if impurity:
            cells.append(percentage(impurity[name]))
        if shuffled is not None:
            rise, error = shuffled.rises.get(name, (0.0, 0.0))
            cells.append(f"{_signed(rise)} ± {error:.4f}")
        lines.append(cells)
    on = "" if shuffled is None else f"Columns were shuffled {shuffled.on}; ± is one standard error."
    about = "" if values is None else f"SHAP values are those of {many(len(values.contributions), 'row')}. "
    left = len(names) - len(lines)
    more = paragraph(f"{many(left, 'column', 'columns')} more are used.", "muted") if left > 0 else ""
    return (
        table(heads, lines, numbers=tuple(range(1, len(heads))))
        + more
        + (paragraph(f"{about}{on}", "muted") if about or on else "")
    )


def _signed(value: float) -> str:
    """To four decimals, with a real minus; never a minus before 0.

    >>> _signed(0.25), _signed(-0.25), _signed(-0.00001)
    ('+0.2500', '−0.2500', '0.0000')
    """
    text = f"{abs(value):.4f}"
    return text if float(text) == 0 else f"{'−' if value < 0 else '+'}{text}"


def _bar(share: float) -> str:
    return f'<span class="bar part" style="--share:{share:.4f}"></span>'


def _scale(values: ShapValues) -> str:
    return values.scores[0] if values.scale == "number" else values.scale


def _mean_sizes(values: ShapValues) -> dict[str, float]:
    """By column the mean of |SHAP| over the rows, and over the classes where there are several."""
    sizes = np.abs(values.contributions).mean(axis=(0, 2)).tolist()
    return dict(zip(values.columns, sizes, strict=True))


def _sample(study: Study, model: Ensemble) -> Table | None:
    """Rows spread over the table, as many as SHAP values of them take seconds; None where that is too few."""
    if model.trees is None:
        return None
    leaves = int(model.trees.nodes.is_leaf.sum())
    rows = study.rows
    count = min(_ROWS, len(rows), _LEAF_VISITS // max(leaves, 1))
    if count < min(_FEWEST, len(rows)) or not columns_used(model):
        return None
    return rows.take(np.unique(np.linspace(0, len(rows) - 1, count).astype(np.int64)))


def _shuffled(study: Study, model: Ensemble) -> _Shuffled | None:
    """By the out-of-bag rows of a forest, else by rows held out; None where that would take too long."""
    columns, rows = len(columns_used(model)), study.learned_from
    if model.origin.learner == "Forest" and rows is not None and model.size * len(rows) * columns <= _ASKED:
        with suppress(ClearwoodError):  # where the rows that each tree drew are not known
            worth = importances(model, rows)
            rises = {
                each.name: (each.rise, each.rise_error)
                for each in worth.columns
                if each.rise is not None and each.rise_error is not None
            }
            return _Shuffled(worth.loss, "among each tree's out-of-bag rows", rises)
    apart = study.held_out
    if apart is None or not columns:
        return None
    count = min(len(apart), _ASKED // max(1, columns * _SHUFFLES * model.size))
    if count < _FEWEST:
        return None
    some = apart.take(np.unique(np.linspace(0, len(apart) - 1, count).astype(np.int64)))
    with suppress(ClearwoodError):  # where none of them has an answer
        lost = permutation_importance(model, some, shuffles=_SHUFFLES, seed=study.seed)
        rises = {each.name: (each.importance, each.error) for each in lost.columns}
        return _Shuffled(lost.loss, f"among {many(len(some), 'held-out row')}", rises)
    return None


def _charts(model: Ensemble, values: ShapValues, sample: Table) -> str:
    """What the columns that move the answer most add along their cells; of many classes, to the one they
    move most."""
    from clearwood.draw import charts

    sizes = _mean_sizes(values)
    drawn = []
    for name in sorted(sizes, key=lambda name: -sizes[name])[:_CHARTS]:
        if not sizes[name] > 0 or not isinstance(model.schema[name], Numeric | Nominal | Ordinal):
            continue
        by_score = np.abs(values.contributions[:, values.columns.index(name)]).mean(axis=0)
        called = values.scores[-1 if len(values.scores) < 3 else int(by_score.argmax())]
        with suppress(ClearwoodError):  # where all cells are empty, or numbers too far apart
            drawn.append(charts.shap(values, sample, name, called))
    return pictures(drawn) if drawn else ""


def _usual_row(study: Study, model: Ensemble) -> str:
    """What each cell of the usual row adds, since the page cannot compute it for a row that is typed."""
    used = columns_used(model)
    row = {name: hint.usual for name, hint in hints_of(study.rows).items() if name in used}
    if model.trees is None or not row:
        return ""
    why = contributions(model, row)
    lines = [
        (isolated(f"{each.name} = {each.value}"), _signed(each.amount)) for each in why.pieces[:_COLUMNS]
    ]
    caption = (
        f"A row whose cells are all the usual ones: from the mean {why.scale} of {why.of}, "
        f"{in_digits(why.base, 3)}, its cells add up to {in_digits(why.total, 3)}."
    )
    return table(("cell", "adds"), lines, numbers=(1,), caption=caption)
