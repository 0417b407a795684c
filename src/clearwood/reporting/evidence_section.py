"""The evidence: which columns decide, how much, and what the most important of them looks like."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Bools, Longs
from clearwood.draw import charts
from clearwood.draw.ensemble import columns_listed
from clearwood.errors import ClearwoodError
from clearwood.explaining.contributions import contributions
from clearwood.explaining.cut_curve import cut_curve
from clearwood.explaining.evidence import evidence
from clearwood.explaining.forest_importances import importances
from clearwood.explaining.importances import tree_importances
from clearwood.explaining.permutation import permutation_importance
from clearwood.explaining.reference import AVERAGE
from clearwood.explaining.shap import ShapValues, shap_values
from clearwood.explaining.words import top_words
from clearwood.measures import IMPURITIES
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Words
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.space.space_of import columns_used
from clearwood.reporting.columns_used import columns_by_importance, measure_of
from clearwood.reporting.data_section import has_values
from clearwood.reporting.markup import (
    bar,
    columns_table,
    isolated,
    name_in_sentence,
    paragraph,
    percentage,
    picture_html,
    pictures,
    table,
)
from clearwood.reporting.model_json import page_answers
from clearwood.reporting.model_section import importances_of_curves, nomogram_html
from clearwood.reporting.page import Section, hints_of
from clearwood.study.study import Study
from clearwood.table.attributes import Nominal, Numeric, Ordinal, Text
from clearwood.table.folding import in_order_of_content
from clearwood.table.table import Table
from clearwood.words.numbers import amount, in_digits, many

_COLUMNS: Final = 20
_MARKS: Final = 30  # on one scale of a nomogram
_CHARGED: Final = (
    "Gains before C4.5 charges for the choice among the cuts; the gain in the tree is after that charge."
)


def evidence_section(study: Study) -> Section | None:
    """None where the model uses no column."""
    if not columns_by_importance(study.model):
        return None
    match study.model:
        case Tree() as tree:
            html = _of_tree(study, tree)
        case RuleList() as rules:
            html = _of_rules(study, rules)
        case BayesTables() as tables:
            html = _of_bayes(study, tables)
        case LinearModel() as linear:
            html = _usual(study, linear)
        case Ensemble() as ensemble:
            html = evidence_of_ensemble(study, ensemble, page_answers=page_answers(ensemble))
        case AdditiveModel() as additive:
            html = importances_of_curves(additive)
        case _:
            assert_never(study.model)
    return Section("evidence", "What decides", html) if html else None


def _of_tree(study: Study, tree: Tree) -> str:
    """A line for each column that is used, then the column of the first split by itself."""
    nodes = tree.nodes
    splits = np.flatnonzero(~nodes.is_leaf)
    weight = tree.weights
    split_columns = nodes.attribute[splits + 1]
    times = np.bincount(split_columns, minlength=len(tree.schema.attributes))
    first_splits = splits[_first_on_path(tree, splits)]
    rows = np.bincount(
        nodes.attribute[first_splits + 1], weight[first_splits], minlength=len(tree.schema.attributes)
    )
    measure = measure_of(tree)
    parts = tree_importances(tree, measure)
    names = columns_by_importance(tree)
    places = [tree.schema.positions[name] for name in names[:_COLUMNS]]
    what = IMPURITIES[measure].name_in_text(measure)
    if tree.is_numeric:
        what = f"{tree.measure} error".strip()
    columns = {
        "column": map(isolated, names[:_COLUMNS]),
        "splits": [f"{int(times[place]):,}" for place in places],
        "rows they decide": [amount(float(rows[place])) for place in places],
        f"share of the decrease in {what}": [
            f"{percentage(part)} {bar(part)}" for part in parts[places].tolist()
        ],
    }
    first = tree.schema.attributes[int(nodes.attribute[1])].name
    used = many(len(names), "column", "columns")
    lead = f"The tree uses {used}, and splits on {name_in_sentence(first)} first."
    shown = columns_table(columns, numbers=(1, 2, 3)) + _more_used(len(names) - len(places))
    return paragraph(lead) + shown + _column(study, first, tree)


def _more_used(left: int) -> str:
    return paragraph(f"{many(left, 'column')} more are used.", "muted") if left > 0 else ""


def _first_on_path(tree: Tree, splits: Longs) -> Bools:
    """[split] Is its column used for the first time on the path there? Else its rows were counted above."""
    parents = tree.nodes.parent.tolist()
    columns = dict(zip(splits.tolist(), tree.nodes.attribute[splits + 1].tolist(), strict=True))
    used: dict[int, frozenset[int]] = {-1: frozenset()}
    is_first = []
    for split, column in columns.items():
        above = used[parents[split] if split else -1]
        is_first.append(column not in above)
        used[split] = above | {column}
    return np.array(is_first, dtype=np.bool_)


def _of_rules(study: Study, rules: RuleList) -> str:
    names = columns_by_importance(rules)
    lines = []
    for name in names[:_COLUMNS]:
        own = [rule for rule in rules if any(condition.name == name for condition in rule.when)]
        weight = sum(map(rules.weight, own))
        lines.append((isolated(name), f"{len(own):,}", amount(float(weight))))
    lead = f"The rules use {many(len(names), 'column', 'columns')}."
    heads = ("column", "rules that use it", "rows they take")
    return paragraph(lead) + table(heads, lines, numbers=(1, 2)) + _column(study, names[0], None)


def _of_bayes(study: Study, model: BayesTables) -> str:
    # Can its columns stand as scales, each mark with its name?
    attributes = [model.schema[name] for name in model.columns]
    long = any(isinstance(each, Nominal | Ordinal) and len(each.values) > _MARKS for each in attributes)
    texts = [each.name for each in model.distributions if isinstance(each, Words)]
    parts = []
    if len(model.schema.classes) > 1 and not long and not texts:
        parts.append(nomogram_html(model, study.rows))
    return "\n".join([*parts, *(_words(model, name) for name in texts), _usual(study, model)])


def _words(model: BayesTables, column: str) -> str:
    lines = []
    for each in top_words(model, column):
        words = ", ".join(f"{isolated(word.word)} {word.log_odds:+.2f}" for word in each.words)
        lines.append((isolated(each.called), words))
    caption = f"Words of {column} that speak most for a class, by their log odds."
    return table(("class", "words"), lines, caption=caption)


def _usual(study: Study, model: BayesTables | LinearModel) -> str:
    """The evidence of a row whose cells are the usual ones."""
    if len(model.schema.classes) < 2:
        return ""
    texts = {each.name for each in model.schema.inputs if isinstance(each, Text)}
    columns = set(columns_by_importance(model)) - texts
    hints = hints_of(study.rows).items()
    row = {name: hint.usual for name, hint in hints if name in columns and hint.usual is not None}
    if not row:
        return ""
    row_evidence = evidence(model, row)
    caption = (
        "A row whose cells are all the usual ones: the commonest value, or a number in the middle. "
        "Each bar is what one cell adds"
    )
    if row_evidence.begins == AVERAGE:
        caption += " beyond what its column adds on average over the training rows; the first is where their "
        caption += "average is"
    return picture_html(charts.evidence(row_evidence), f"{caption}.")


def _column(study: Study, name: str, tree: Tree | None) -> str:
    """The column by class: its values as a mosaic, and the cuts of a numeric one."""
    rows = study.rows
    if not rows.schema.classes or not has_values(rows, name):
        return ""
    if isinstance(rows.schema[name], Numeric):
        learner = "" if tree is None else tree.origin.learner
        measure = "entropy" if tree is None else measure_of(tree)
        curve = cut_curve(rows, name, tree=tree, measure=measure)
        return picture_html(charts.cuts(curve), _CHARGED if learner == "C45" else "")
    return picture_html(charts.mosaic(rows, name))


# What decides in an ensemble: its columns by impurity, by SHAP values and by what shuffling them costs.


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
    shown = names[:_COLUMNS]
    columns = {"column": [isolated(name) for name in shown]}
    about = ""
    if moved and values is not None:
        scale = values.scores[0] if values.scale == "number" else values.scale
        sizes, most = [moved.get(name, 0.0) for name in shown], max(moved.values()) or 1.0
        bars = [f"{in_digits(size, 3)} {bar(size / most)}" for size in sizes]
        columns[f"mean size of its SHAP values ({scale})"] = bars
    if values is not None:
        about = f"SHAP values are those of {many(len(values.contributions), 'row')}. "
    if impurity:
        columns["part of what all splits gained"] = [percentage(impurity[name]) for name in shown]
    if shuffled is not None:
        rises = [shuffled.rises.get(name, (0.0, 0.0)) for name in shown]
        texts = [f"{_signed(rise)} ± {error:.4f}" for rise, error in rises]
        columns[f"{shuffled.loss} rises by, if shuffled"] = texts
        about += f"Columns were shuffled {shuffled.on}; ± is one standard error."
    listed = columns_table(columns, numbers=range(1, len(columns))) + _more_used(len(names) - len(shown))
    return listed + (paragraph(about, "muted") if about else "")


def _signed(value: float) -> str:
    """To four decimals, with a real minus; never a minus before 0.

    >>> _signed(0.25), _signed(-0.25), _signed(-0.00001)
    ('+0.2500', '−0.2500', '0.0000')
    """
    text = f"{abs(value):.4f}"
    return text if float(text) == 0 else f"{'−' if value < 0 else '+'}{text}"


def _mean_sizes(values: ShapValues) -> dict[str, float]:
    """By column the mean of |SHAP| over the rows, and over the classes where there are several."""
    sizes = np.abs(values.contributions).mean(axis=(0, 2)).tolist()
    return dict(zip(values.columns, sizes, strict=True))


def _sample(study: Study, model: Ensemble) -> Table | None:
    """Rows spread over the table, as many as SHAP values of them take seconds; None where that is too few."""
    if model.trees is None:
        return None
    leaves = int(model.trees.nodes.is_leaf.sum())
    rows = in_order_of_content(study.rows)
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
    pieces = why.pieces[:_COLUMNS]
    lines = [(isolated(f"{each.name} = {each.value}"), _signed(each.amount)) for each in pieces]
    caption = (
        f"A row whose cells are all the usual ones: from the mean {why.scale} of {why.of}, "
        f"{in_digits(why.base, 3)}, its cells add up to {in_digits(why.total, 3)}."
    )
    return table(("cell", "adds"), lines, numbers=(1,), caption=caption)
