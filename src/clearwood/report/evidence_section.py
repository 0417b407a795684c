"""The evidence: which columns decide, how much, and what the most important of them looks like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

import numpy as np

from clearwood.arrays import Bools, Longs
from clearwood.draw.pictures import commonest_two
from clearwood.explain.cut_curve import cut_curve
from clearwood.explain.evidence import evidence
from clearwood.explain.importances import tree_importances
from clearwood.explain.nomogram import nomogram
from clearwood.explain.reference import AVERAGE
from clearwood.explain.words import top_words
from clearwood.measures import IMPURITIES
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Words
from clearwood.models.ensemble import Ensemble
from clearwood.models.linear_model import LinearModel
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.report.column_cards import has_values
from clearwood.report.columns_used import columns_by_importance, measure_of
from clearwood.report.ensemble_evidence import evidence_of_ensemble
from clearwood.report.markup import isolated, name_in_sentence, paragraph, percentage, picture_html, table
from clearwood.report.model_json import answers_in_page
from clearwood.report.model_section import importances_of_curves
from clearwood.report.page import Section, hints_of
from clearwood.study.study import Study
from clearwood.table.attributes import Nominal, Numeric, Ordinal, Text
from clearwood.words.numbers import amount, many

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
            html = evidence_of_ensemble(study, ensemble, page_answers=answers_in_page(ensemble))
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
    lines = [
        (
            isolated(tree.schema.attributes[place].name),
            f"{int(times[place]):,}",
            amount(float(rows[place])),
            _part(float(parts[place])),
        )
        for place in places
    ]
    what = IMPURITIES[measure].name_in_text(measure)
    if tree.is_numeric:
        what = f"{tree.measure} error".strip()
    heads = ("column", "splits", "rows they decide", f"share of the decrease in {what}")
    left = len(names) - len(places)
    more = paragraph(f"{many(left, 'column', 'columns')} more are used.", "muted") if left > 0 else ""
    first = tree.schema.attributes[int(nodes.attribute[1])].name
    used = many(len(names), "column", "columns")
    lead = f"The tree uses {used}, and splits on {name_in_sentence(first)} first."
    return paragraph(lead) + table(heads, lines, numbers=(1, 2, 3)) + more + _column(study, first, tree)


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


def _part(share: float) -> str:
    """A share, and a bar of that length."""
    return f'{percentage(share)} <span class="bar part" style="--share:{share:.4f}"></span>'


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
    from clearwood.draw import charts

    parts = []
    if len(model.schema.classes) > 1 and _fits_a_nomogram(model):
        caption = "Read off the points of each cell, add them up, and find the probability under the total."
        if len(model.schema.classes) > 2:
            caption += " Of the classes, the two most common are set against each other."
        scales = nomogram(model, *commonest_two(model), table=study.rows)
        parts.append(picture_html(charts.nomogram(scales), caption))
    for each in model.distributions:
        if isinstance(each, Words):
            parts.append(_words(model, each.name))
    return "\n".join([*parts, _usual(study, model)])


def _fits_a_nomogram(model: BayesTables) -> bool:
    """Can its columns stand as scales, each mark with its name?"""
    attributes = [model.schema[name] for name in model.columns]
    long = any(isinstance(each, Nominal | Ordinal) and len(each.values) > _MARKS for each in attributes)
    return not long and not any(isinstance(each, Words) for each in model.distributions)


def _words(model: BayesTables, column: str) -> str:
    lines = [
        (
            isolated(each.called),
            ", ".join(f"{isolated(word.word)} {word.log_odds:+.2f}" for word in each.words),
        )
        for each in top_words(model, column)
    ]
    caption = f"Words of {column} that speak most for a class, by their log odds."
    return table(("class", "words"), lines, caption=caption)


def _usual(study: Study, model: BayesTables | LinearModel) -> str:
    """The evidence of a row whose cells are the usual ones."""
    from clearwood.draw import charts

    if len(model.schema.classes) < 2:
        return ""
    columns = set(columns_by_importance(model))
    texts = {each.name for each in model.schema.inputs if isinstance(each, Text)}
    row: Mapping[str, Any] = {
        name: hint.usual
        for name, hint in hints_of(study.rows).items()
        if name in columns and name not in texts and hint.usual is not None
    }
    if not row:
        return ""
    row_evidence = evidence(model, row)
    beyond = (
        " beyond what its column adds on average over the training rows; the first is where their average is"
        if row_evidence.begins == AVERAGE
        else ""
    )
    caption = (
        "A row whose cells are all the usual ones: the commonest value, or a number in the middle. "
        f"Each bar is what one cell adds{beyond}."
    )
    return picture_html(charts.evidence(row_evidence), caption)


def _column(study: Study, name: str, tree: Tree | None) -> str:
    """The column by class: its values as a mosaic, and the cuts of a numeric one."""
    from clearwood.draw import charts

    rows = study.rows
    if not rows.schema.classes or not has_values(rows, name):
        return ""
    if isinstance(rows.schema[name], Numeric):
        learner = "" if tree is None else tree.origin.learner
        measure = "entropy" if tree is None else measure_of(tree)
        curve = cut_curve(rows, name, tree=tree, measure=measure)
        return picture_html(charts.cuts(curve), _CHARGED if learner == "C45" else "")
    return picture_html(charts.mosaic(rows, name))
