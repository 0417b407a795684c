"""What each kind of model shows when it is learned again: its root, its rules, its columns, its weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.explaining.curve_groups import mean_points
from clearwood.explaining.importances import (
    bayes_importances,
    importances_of_trees,
    rule_importances,
    tree_importances,
)
from clearwood.explaining.recurring_rules import Conditions, at_quantiles, paths_of_tree, quantile_limits
from clearwood.measures import IMPURITIES
from clearwood.models.kinds.additive.additive_model import AdditiveModel, curves_in, name_of, sides_of
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model, tree_or_rules
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.of_additive import scores_of_additive
from clearwood.table.table import Table
from clearwood.words.numbers import brief, many, percent, percent_to

if TYPE_CHECKING:
    from clearwood.study.behaviour.stability import Stability


_GRID: Final = 500  # rows on which curves are compared


@dataclass(frozen=True, slots=True)
class ColumnRecurrence:
    """A column, the part of the models that ask about it, and its importance in them, None where their kind
    has none: the mean over the models and its standard deviation."""

    name: str
    part: float
    importance: float | None = None
    deviation: float | None = None


@dataclass(frozen=True, slots=True)
class TermSpread:
    """A weight, or a curve's mean absolute points: over the models that have it, the mean and the standard
    deviation. `alike` is the part of the models whose weight has the commoner sign; of curves it is how much
    two of them are alike, as a correlation."""

    name: str
    part: float
    mean: float
    deviation: float
    alike: float


def root_of(model: Model) -> str | None:
    """The column that a tree asks first, "" if it is a single leaf; None of another kind of model."""
    if not isinstance(model, Tree):
        return None
    return "" if model.leaves == 1 else model.schema.attributes[int(model.nodes.attribute[1])].name


def column_recurrences(models: Sequence[Model]) -> tuple[ColumnRecurrence, ...]:
    """The columns that any model asks about, the most frequent and important first; not those that only stand
    in a tree for an empty cell."""
    used = Counter[str]()
    for model in models:
        names = [each.name for each in model.schema.attributes]
        if isinstance(model, Tree):
            used.update({names[at] for at in model.nodes.attribute[1:].tolist()})
        else:
            used.update(columns_used(model))
    known = [parts for model in models if (parts := _importances(model)) is not None]
    columns = []
    for place, name in enumerate(each.name for each in models[0].schema.attributes):
        parts = np.array([each[place] for each in known])
        weighed = (float(parts.mean()), float(parts.std(ddof=1))) if len(known) == len(models) else ()
        if used[name]:
            columns.append(ColumnRecurrence(name, used[name] / len(models), *weighed))
    return tuple(sorted(columns, key=lambda each: (-each.part, -(each.importance or 0.0))))


def _importances(model: Model) -> Floats | None:
    """[attribute] parts that add up to 1, where the kind has such."""
    match model:
        case Tree():
            return tree_importances(model, model.measure if model.measure in IMPURITIES else "gini")
        case RuleList():
            return None if model.is_numeric else rule_importances(model)
        case BayesTables():
            return bayes_importances(model)
        case LinearModel():
            return None  # its terms are shown, with their signs
        case Ensemble():
            return None if model.trees is None else importances_of_trees(model)
        case AdditiveModel():
            points = np.zeros(len(model.schema.attributes))
            for term in curves_in(model):
                for name, _ in sides_of(term):
                    points[model.schema.positions[name]] += mean_points(term)
            return points / points.sum() if points.any() else points
        case _:
            assert_never(model)


def rule_sets(models: Sequence[Model], table: Table, depth: int, cuts: int) -> list[set[Conditions]] | None:
    """The rules of each model, their thresholds at quantiles; of trees the paths of up to `depth` questions;
    None of a kind that has no rules."""
    names = set().union(*(columns_used(model) for model in models))
    limits = quantile_limits(models[0].schema, names, table, cuts)
    sets: list[set[Conditions]] = []
    for model in models:
        regions = tree_or_rules(model)
        if regions is None:
            return None
        if isinstance(regions, Tree):
            sets.append(paths_of_tree(regions, depth, limits))
        else:
            moved = (at_quantiles(rule.when, regions.schema, limits) for rule in regions)
            sets.append({each for each in moved if each})
    return sets


def part_in_common(sets: Sequence[set[Conditions]]) -> float:
    """Of the rules that either of two models has, the part that both have, as a mean over all pairs; two
    models without rules have all in common."""
    parts = [
        len(one & other) / len(one | other) if one or other else 1.0
        for place, one in enumerate(sets)
        for other in sets[:place]
    ]
    return float(np.mean(parts))


def term_spreads(models: Sequence[Model], table: Table) -> tuple[TermSpread, ...]:
    """The weights of linear models or the curves of additive ones, the largest first; none of other kinds."""
    linear = [model for model in models if isinstance(model, LinearModel)]
    if len(linear) == len(models):
        return _weights(linear)
    additive = [model for model in models if isinstance(model, AdditiveModel)]
    return _curves(additive, table) if len(additive) == len(models) else ()


def _weights(models: Sequence[LinearModel]) -> tuple[TermSpread, ...]:
    by_name: dict[str, list[float]] = {}
    for model in models:
        for contrast, weights in zip(model.contrasts, model.weights, strict=True):
            ahead = f"{contrast}: " if len(model.contrasts) > 1 else ""
            for term, weight in zip(model.terms, weights, strict=True):
                by_name.setdefault(f"{ahead}{term}", []).append(weight)
    spreads = []
    for name, values in by_name.items():
        numbers = np.array(values)
        _, signs = np.unique(np.sign(numbers), return_counts=True)
        spreads.append(_spread(name, numbers, len(models), float(signs.max() / len(numbers))))
    return tuple(sorted(spreads, key=lambda each: -abs(each.mean) * each.part))


def _curves(models: Sequence[AdditiveModel], table: Table) -> tuple[TermSpread, ...]:
    step = max(1, -(-len(table) // _GRID))
    grid = table.take(np.arange(0, len(table), step))
    sizes: dict[str, list[float]] = {}
    shapes: dict[str, list[Floats]] = {}
    for model in models:
        for term in curves_in(model):
            sizes.setdefault(name_of(term), []).append(mean_points(term))
        for shape in model.shapes:
            alone = replace(model, shapes=(shape,), pairs=())
            scores = scores_of_additive(alone, grid)
            centred = (scores - scores.mean(axis=0)).ravel()
            length = float(np.sqrt(centred @ centred))
            shapes.setdefault(shape.name, []).append(centred / length if length > 0 else centred)
    spreads = [
        _spread(name, np.array(values), len(models), _correlation(shapes.get(name, [])))
        for name, values in sizes.items()
    ]
    return tuple(sorted(spreads, key=lambda each: -each.mean * each.part))


def _correlation(curves: Sequence[Floats]) -> float:
    """The mean correlation of two of them; NaN where there are no two that vary."""
    varying = [each for each in curves if each.any()]
    count = len(varying)
    if count < 2:
        return float("nan")
    together = np.sum(varying, axis=0)
    return float((together @ together - count) / (count * (count - 1)))


def _spread(name: str, values: Floats, models: int, alike: float) -> TermSpread:
    deviation = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    return TermSpread(name, len(values) / models, float(values.mean()), deviation, alike)


# What may be concluded from stability: the first split, the rules, the answers that may be relied on.


_FEW: Final = 10  # rows: of fewer nothing is concluded
_STEADY: Final = 0.9  # of the models
_USUAL: Final = 0.5
_SURE: Final = 0.95  # of the rows that two models answer alike
_FAIRLY: Final = 0.85


def stability_conclusions(sheet: Stability) -> list[str]:
    """What of the model may be relied on: its first split, its rules, its answers."""
    if sheet.rows < _FEW:
        return [f"{many(sheet.rows, 'row')} in all: too few to conclude anything from."]
    sentences = [_of_root(sheet)] if sheet.roots else []
    if sheet.rules_in_common is not None and sheet.rules_in_common < _USUAL:
        what = "first two splits" if sheet.roots else "rules"
        sentences.append(
            f"Two models share {percent_to(sheet.rules_in_common, 0)} of their {what}: read them as one "
            "description of several that fit about as well."
        )
    if np.isnan(sheet.agreement_apart):
        return sentences
    return [*sentences, *(_of_answers(sheet) if sheet.classes else _of_numbers(sheet))]


def _of_root(sheet: Stability) -> str:
    name, part = sheet.roots[0]
    share = percent_to(part, 0)
    asked = f"split on {name} first" if name else "have no split"
    if part >= _STEADY:
        sentence = f"The first split does not depend on the sample: {share} of the models {asked}."
    elif part >= _USUAL:
        sentence = f"The first split is usual, not certain: {share} of the models {asked}."
    else:
        sentence = f"The first split may not be relied on: no more than {share} of the models {asked}."
    if name != sheet.whole_root:
        own = f"splits on {sheet.whole_root} first" if sheet.whole_root else "has no split"
        sentence += f" The model of all rows {own}."
    return sentence


def _of_answers(sheet: Stability) -> list[str]:
    apart = sheet.agreement_apart
    only = "" if apart >= _FAIRLY else "only "
    share = f"Two models agree on {only}{percent_to(apart)} of the rows that neither learned from"
    if apart >= _SURE:
        return [f"{share}: the predictions hardly depend on the sample."]
    if apart >= _FAIRLY:
        return [f"{share}: most predictions would be the same with other rows like these."]
    return [f"{share}: many predictions would change with other rows like these."]


def _of_numbers(sheet: Stability) -> list[str]:
    apart, error = sheet.agreement_apart, sheet.score.mean
    if not error > 0:
        return []
    share = apart**2 / 2 / error**2  # two models differ by twice the variance of one
    return [
        f"Two models differ by {brief(apart)} on rows that neither learned from, beside an RMSE of "
        f"{brief(error)}: about {percent(min(share, 1.0))} % of the squared error depends on the sample."
    ]
