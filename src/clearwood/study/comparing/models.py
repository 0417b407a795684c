"""Models on the same rows: is one better, by how much, and on which rows do they differ?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations, product
from typing import Any, Final

import numpy as np

from clearwood.arrays import Bools, Longs
from clearwood.errors import Advice, Part, SchemaError, Sentence, SettingError
from clearwood.models.in_words import costs_in_words
from clearwood.models.model import Model, check_kind, reading_size
from clearwood.predicting.columns import table_for
from clearwood.records import json_of
from clearwood.scoring import Stakes
from clearwood.scoring.positive import positive_for
from clearwood.scoring.predictions import ClassPredictions, Predictions, predictions_of, together_in_own_order
from clearwood.shown import ShowsItself
from clearwood.study.comparing.score_difference import (
    PairedRows,
    ScoreDifference,
    adjusted_by_holm,
    difference_called,
    differences_of_rows,
    named_contenders,
)
from clearwood.study.known_rows import rows_known
from clearwood.table.attributes import natural_order
from clearwood.table.table import Table
from clearwood.words.numbers import in_short, many, number, with_and, with_noun


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ModelComparison(ShowsItself):
    """The difference of every pair of models by each score, and where they differ.

    `rows` were judged by all models; `seen` says, by model, why its scores on these rows are too good.
    """

    names: tuple[str, ...]
    sizes: Mapping[str, int]  # how much there is to read
    rows: int
    differences: tuple[ScoreDifference, ...]
    agreements: tuple[Agreement, ...]
    seen: Mapping[str, str]
    notes: tuple[str, ...] = ()

    def difference(self, first: str, second: str, score: str) -> ScoreDifference:
        """That of two models by a score's name, in the order of the comparison."""
        return difference_called(self.differences, first, second, score)

    @property
    def scores(self) -> dict[str, dict[str, float]]:
        """By score's label, then by model: its value on the rows."""
        scores: dict[str, dict[str, float]] = {}
        for each in self.differences:
            by_model = scores.setdefault(each.label, {})
            by_model.setdefault(each.first, each.of_first)
            by_model.setdefault(each.second, each.of_second)
        return scores

    @property
    def conclusions(self) -> tuple[str, ...]:
        """What may be concluded, pair by pair, and what may not."""
        return tuple(each.conclusion for each in self.differences)

    def __repr__(self) -> str:
        return f"<ModelComparison of {with_and(self.names)} on {many(self.rows, 'row')}>"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        models = {name: {"size": size, "seen": self.seen.get(name)} for name, size in self.sizes.items()}
        return json_of(self, "names", "sizes", "seen", models=models)


def compare_models(
    models: Mapping[str, Model] | Sequence[Model],
    table: Any,
    *,
    costs: Mapping[tuple[str, str], float] | None = None,
    rope: float | None = None,
) -> ModelComparison:
    """Two or more models on the same rows, which none of them should have learned from: a `Table`, or
    anything that a table can be made of.

    Accuracy is tested by McNemar's exact test, AUC by DeLong's, the Brier score, costs and errors of numbers
    by the paired t-test, each with an interval; p is adjusted by Holm for the number of pairs. `costs` are by
    (true class, predicted class), those of the models unless given, and come first where there are some;
    where a cutoff decides, recall and specificity of its class come before accuracy. `rope` is the difference
    that nobody minds: usually 0.01 of a share, and 1 % of another score.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> early, late = days.take(np.arange(7)), days.take(np.arange(7, 14))
    >>> models = {"stump": cw.ID3(max_depth=1).learn(early), "tree": cw.ID3().learn(early)}
    >>> comparison = cw.compare_models(models, late)
    >>> comparison.agreements[0].only_second, comparison.differences[0].p
    (1.0, 1.0)
    """
    names = [each.origin.learner or type(each).__name__ for each in _checked(models)]
    named = named_contenders("models", models, names)
    if rope is not None and not rope >= 0:
        raise SettingError(f"rope must be 0 or more, not {rope!r}.")
    tables = {name: table_for(model, table, with_target=True) for name, model in named.items()}
    return compared_on(named, tables, costs, rope)


def compared_on(
    named: Mapping[str, Model],
    tables: Mapping[str, Table],
    costs: Mapping[tuple[str, str], float] | None = None,
    rope: float | None = None,
) -> ModelComparison:
    """The same of rows that are coded for each model by its own schema."""
    check_same_target({f"'{name}'": model for name, model in named.items()})
    predictions = _on_the_same_rows(
        {name: predictions_of(model, tables[name]) for name, model in named.items()}
    )
    first = next(iter(tables.values()))
    rows = next(iter(predictions.values()))
    if not len(rows):
        raise SchemaError("There are no rows to compare the models on: in none is the truth known.")
    counts = first.weights_are in (None, "counts")
    numbers = (rows.places if first.places is None else first.places[rows.places]) + 1
    differences: list[ScoreDifference] = []
    agreements = []
    positive = ""
    if isinstance(rows, ClassPredictions) and len(rows.classes) == 2:
        positive, _ = positive_for(rows, next(iter(named.values())))
    about_costs: list[str] = []
    if costs is None:
        costs, about_costs = _costs_of_models(named)
    cutoffs = [each.decision.cutoff.positive for each in named.values() if each.decision.cutoff is not None]
    stakes = Stakes(cutoffs[0] if cutoffs else positive, costs)
    for one, other in combinations(named, 2):
        both = predictions[one], predictions[other]
        pair = PairedRows(
            one, other, *together_in_own_order(*both), counts, stakes, rope, by_cutoff=bool(cutoffs)
        )
        differences += differences_of_rows(pair)
        if isinstance(both[0], ClassPredictions) and isinstance(both[1], ClassPredictions):
            agreements.append(agreement_of(one, other, both[0], both[1], numbers))
    seen = {name: why for name, model in named.items() if (why := why_too_good(model, tables[name]))}
    return ModelComparison(
        tuple(named),
        {name: reading_size(model) for name, model in named.items()},
        len(rows),
        tuple(
            # Why nothing may be concluded of two models, if one of them knows the rows.
            replace(each, beware=" and ".join(f"{one} was {seen[one]}" for one in pair if one in seen))
            for each in adjusted_by_holm(differences)
            for pair in [(each.first, each.second)]
        ),
        tuple(agreements),
        seen,
        (*about_costs, *_notes(differences, seen, rows, counts)),
    )


def _costs_of_models(named: Mapping[str, Model]) -> tuple[Mapping[tuple[str, str], float] | None, list[str]]:
    """The costs that those of the models have who have some, where they are the same, and whose they are."""
    found: dict[str, dict[tuple[str, str], float]] = {}
    for name, model in named.items():
        classes, costs = model.schema.classes, model.decision.costs_kept
        if costs:
            pairs = product(range(len(classes)), repeat=2)
            found[name] = {(classes[true], classes[called]): costs[true][called] for true, called in pairs}
    if not found:
        return None, []
    whose, (given, *others) = with_and(found), found.values()
    if any(each != given for each in others):
        return None, [Sentence(f"{whose} have different costs. To compare by one: ", Advice("costs"), ".")]
    said = costs_in_words(*_in_order(given))
    return given, [f"The expected cost is by the costs of {whose}: {said}."]


def _in_order(costs: Mapping[tuple[str, str], float]) -> tuple[list[list[float]], tuple[str, ...]]:
    """The costs [true class, predicted class], and the classes in their natural order."""
    classes = natural_order({true for true, _ in costs})
    return [[costs[true, called] for called in classes] for true in classes], tuple(classes)


def why_too_good(model: Model, table: Table) -> str:
    """Why a model's scores on these rows are too good; "" where nothing is known against them."""
    known, which = rows_known(model, table)
    return {
        "": "",
        "these": "learned from these very rows",
        "reordered": "learned from these rows, in another order",
        "among": which.removeprefix("The model was "),
        "chose": f"finished by these rows: they chose {which}",
    }[known]


def _checked(models: Mapping[str, Model] | Sequence[Model]) -> list[Model]:
    given = list(models.values()) if isinstance(models, Mapping) else models
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise SettingError(
            "compare_models takes a list of models, or models by name, and then the rows: "
            "compare_models([a, b], table)."
        )
    for each in given:
        check_kind("compare_models", each)
    return list(given)


def check_same_target(named: Mapping[str, Model]) -> None:
    """Refuse models that predict different columns, or one classes and the other numbers; the names are as
    sentences have them."""
    targets = {name: model.schema.target for name, model in named.items()}
    (first, target), *others = targets.items()
    for name, other in others:
        if target is None or other is None or target.name != other.name:
            raise SettingError(
                f"{first[:1].upper()}{first[1:]} predicts {target.name if target else 'nothing'} and {name} "
                f"{other.name if other else 'nothing'}: only models of the same target can be compared."
            )
        if named[first].is_numeric != named[name].is_numeric:
            raise SettingError(
                f"One of {first} and {name} predicts classes of {target.name}, the other numbers: they "
                "cannot be compared."
            )
        _check_common_class({first: named[first], name: named[name]})


def _check_common_class(named: Mapping[str, Model]) -> None:
    """Refuse two models of classes none of which is the same."""
    (first, one), (second, other) = named.items()
    ours, theirs = one.schema.classes, other.schema.classes
    if one.is_numeric or set(ours) & set(theirs):
        return
    parts: list[Part] = [
        f"{first[:1].upper()}{first[1:]} predicts {in_short(ours)}, and {second} {in_short(theirs)}: "
        "no class is the same."
    ]
    if len(ours) == len(theirs):
        which = with_and([f"{old} is {new}" for old, new in zip(theirs, ours, strict=True)])
        parts += [
            f" If {which}, import {second} again with these names: ",
            Advice("classes", list(ours)),
            ".",
        ]
        parts += [f" If it is {first} that was imported: ", Advice("classes", list(theirs)), "."]
    raise SettingError(*parts)


def _on_the_same_rows(predictions: Mapping[str, Predictions]) -> dict[str, Predictions]:
    """Those rows that every model has a true answer for, as it reads the target."""
    common = reduce(np.intersect1d, (each.places for each in predictions.values()))
    return {
        name: each if len(each.places) == len(common) else each.take(np.isin(each.places, common))
        for name, each in predictions.items()
    }


def _notes(
    differences: Sequence[ScoreDifference], seen: Mapping[str, str], rows: Predictions, counts: bool
) -> list[str]:
    notes = [
        f"{with_and(name for name in seen if seen[name] == why)}: {why}. Scores on them are too good, and "
        "nothing may be concluded from a difference. Give rows that no model has seen."
        for why in dict.fromkeys(seen.values())
    ]
    if rows.left_out:
        verb = "is" if rows.left_out == 1 else "are"
        notes.append(f"{many(rows.left_out, 'row')} without a known truth {verb} left out.")
    if not counts:
        notes.append(
            "The weights are not counts of rows: tests and intervals go by the effective number of rows."
        )
    if len({each.score for each in differences}) > 1:
        notes.append(
            "Each score is a question of its own: decide which one counts before looking at all of them."
        )
    return notes


# Where two models differ: which rows each has right, and which rows they answer differently.


_NAMED: Final = 8  # rows in a sentence


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """The weight of the rows that both models answer, by who has them right; the rows' numbers, from 1, where
    one alone does, and where both are wrong in different ways.

    `by_class`: for each true class its weight, and how much of it each has right.
    """

    first: str
    second: str
    both_right: float
    only_first: float
    only_second: float
    both_wrong: float
    rows_only_first: tuple[int, ...]
    rows_only_second: tuple[int, ...]
    rows_wrong_differently: tuple[int, ...]
    by_class: Mapping[str, tuple[float, float, float]]
    unanswered: float = 0.0

    @property
    def same_answer(self) -> float:
        """The part of the rows that both have right, or both wrong."""
        total = self.both_right + self.only_first + self.only_second + self.both_wrong
        return (self.both_right + self.both_wrong) / total if total else float("nan")

    def __str__(self) -> str:
        right = [self.both_right, self.only_first, self.only_second, self.both_wrong, self.unanswered]
        both, one, other, neither, unanswered = (number(round(each, 6)) for each in right)
        lines = [
            f"Both are right on {with_noun(both, 'row')}, {self.first} alone on {one}, {self.second} alone "
            f"on {other}, neither on {neither}."
        ]
        for name, rows in ((self.first, self.rows_only_first), (self.second, self.rows_only_second)):
            if rows:
                lines.append(f"Only {name} is right on {_rows(rows)}.")
        if self.rows_wrong_differently:
            lines.append(f"Both are wrong, in different ways, on {_rows(self.rows_wrong_differently)}.")
        if self.unanswered:
            lines.append(f"{unanswered} rows for which one of them has no prediction are left out.")
        return " ".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        by_class = {
            name: {"rows": rows, "first_right": one, "second_right": other}
            for name, (rows, one, other) in self.by_class.items()
        }
        return json_of(self, by_class=by_class)


def agreement_of(
    first: str, second: str, one: ClassPredictions, other: ClassPredictions, numbers: Longs
) -> Agreement:
    """Of the same rows, whose numbers are these; classes are compared by their names."""
    answered = (one.answers >= 0) & (other.answers >= 0)
    weights = np.where(answered, one.weights, 0.0)
    right, other_right = one.answers == one.truth, other.answers == other.truth
    names, other_names = np.array([*one.classes, ""]), np.array([*other.classes, ""])
    differently = answered & ~right & ~other_right & (names[one.answers] != other_names[other.answers])
    only, only_other = answered & right & ~other_right, answered & other_right & ~right

    def weight(rows: Bools) -> float:
        return float(weights[rows].sum())

    by_class = {}
    for code, name in enumerate(one.classes):
        own = one.truth == code
        if weights[own].any():
            by_class[name] = weight(own), weight(own & right), weight(own & other_right)
    return Agreement(
        *(first, second),
        both_right=weight(right & other_right),
        only_first=weight(only),
        only_second=weight(only_other),
        both_wrong=weight(~right & ~other_right),
        rows_only_first=tuple(numbers[only].tolist()),
        rows_only_second=tuple(numbers[only_other].tolist()),
        rows_wrong_differently=tuple(numbers[differently].tolist()),
        by_class=by_class,
        unanswered=float(one.weights[~answered].sum()),
    )


def _rows(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(f"{each}" for each in numbers[:_NAMED])
    more = len(numbers) - _NAMED
    return f"row{'s' if len(numbers) > 1 else ''} {shown}{f' and {more:,} more' if more > 0 else ''}"
