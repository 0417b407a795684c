"""Stability: how much of a model changes when its rows are drawn anew?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.bounds import whole
from clearwood.explaining.recurring_rules import Conditions, recurring_rules
from clearwood.formulas.conditions import all_of
from clearwood.learners.learner import Learner
from clearwood.learners.parts import TaskCounter
from clearwood.learners.progress import watching
from clearwood.models.model import Model, size_of
from clearwood.records import json_of
from clearwood.scoring.error_parts import counted_answers, pairs_agreeing, root_mean_square_difference
from clearwood.study.behaviour.repeated_learning import (
    answers_as_coded,
    asked_samples,
    named_learners,
    resampled_tables,
)
from clearwood.study.behaviour.stability_parts import (
    ColumnRecurrence,
    TermSpread,
    column_recurrences,
    part_in_common,
    root_of,
    rule_sets,
    stability_conclusions,
    term_spreads,
)
from clearwood.study.dividing import predicted_column
from clearwood.table.schema import Schema
from clearwood.table.table import Table, set_aside
from clearwood.words.columns import in_columns
from clearwood.words.numbers import figure, in_digits, many, percent, percent_to

_FEWEST: Final = 2  # samples: one cannot be compared
_SURE: Final = 0.75  # of the models give a row one answer: fewer, and it is in doubt


@dataclass(frozen=True, slots=True)
class SpreadOver:
    """A figure over the samples."""

    mean: float
    deviation: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class RuleRecurrence:
    """Conditions with their thresholds at quantiles, the part of the models that have them, whether the model
    of all rows does, and the rows' weights by class (of numbers weight and mean) inside and outside."""

    when: Conditions
    part: float
    in_whole: bool
    inside: tuple[float, ...]
    outside: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Stability:
    """How far models of rows drawn anew agree with each other.

    `agreement` is how often two models give a row the same class; of numbers it is the root mean square of
    the difference of their answers, in the units of the target. `agreement_apart` is the same on rows that
    neither was learned from, NaN where there are none. `in_doubt` rows get their commonest class from less
    than three quarters of the models; 0 of numbers. `score` is the accuracy (of numbers the RMSE) on the rows
    that each model was not learned from. `roots` has the part of the trees that ask each column first, ""
    for single leaves, and `whole_root` the one in the tree of all rows; empty of other kinds. `rules`
    recur in at least a tenth of the models, `rules_in_common` is the part of two models' rules that both
    have; None of kinds without rules. `terms` has weights or curves where the kind has them.
    """

    learner: str
    samples: int
    rows: int
    classes: tuple[str, ...]
    size: SpreadOver
    unit: str
    whole_size: int
    score_name: str
    score: SpreadOver
    agreement: float
    agreement_apart: float
    in_doubt: int
    columns: tuple[ColumnRecurrence, ...]
    roots: tuple[tuple[str, float], ...] = ()
    whole_root: str = ""
    rules: tuple[RuleRecurrence, ...] | None = None
    rules_in_common: float | None = None
    terms: tuple[TermSpread, ...] = ()

    def __str__(self) -> str:
        return stability_as_text(self)

    @property
    def conclusions(self) -> list[str]:
        """What of the model may be relied on."""
        return stability_conclusions(self)

    def to_json(self) -> dict[str, Any]:
        roots = [{"name": name, "part": part} for name, part in self.roots]
        return json_of(self, roots=roots, conclusions=self.conclusions)


def stability(
    learner: Learner[Model],
    table: Table,
    *,
    samples: int = 50,
    depth: int = 2,
    cuts: int = 10,
    least: float = 0.1,
    most: int = 20,
    group: str | None = None,
    seed: int = 0,
) -> Stability:
    """Learn again from rows drawn with replacement, as many as there are, and compare the models.

    Rules are compared with their thresholds at the nearest of the quantiles that cut a column into `cuts`
    parts, those of trees down to `depth` questions, as `stable_rules` does it; at most `most` are listed that
    at least this part of the models has. With a `group` column whole groups are drawn, such as all rows of a
    customer, and no model sees it.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> sheet = stability(cw.ID3(), days, samples=40)
    >>> sheet.roots[0][0], sheet.whole_root
    ('Outlook', 'Outlook')
    """
    (name,) = named_learners("stability", learner)
    whole("samples", samples, _FEWEST)
    whole("depth", depth, 1)
    whole("cuts", cuts, 2)
    whole("most", most, 1)
    predicted_column(table)
    everything = table if group is None else set_aside(table, (group,), "rows are drawn by it")
    counter = TaskCounter(samples + 1)
    with watching(lambda _: False):  # only whole models are reported
        with_all = learner.learn(everything)
    counter.add()
    apart = np.empty((samples, len(table)), dtype=np.bool_)

    def drawn() -> Iterator[Table]:
        for place, (times, rows) in enumerate(resampled_tables(table, samples, seed, group)):
            apart[place] = times == 0
            yield rows

    asked = asked_samples(
        (learner,), table, drawn(), lambda model: (model, answers_as_coded(model, table)), counter
    )
    models = [model for model, _ in asked]
    answers = np.array([answers for _, answers in asked])
    weights = np.ones(len(table)) if table.weights is None else table.weights
    targets = table.target.astype(np.float64)
    answered = _Answered(len(table.schema.classes), answers, apart, targets, weights)
    sets = rule_sets([with_all, *models], table, depth, cuts)
    whole_size, unit = size_of(with_all)
    # The columns that trees ask first, the most frequent first.
    roots = Counter(root for model in models if (root := root_of(model)) is not None)
    return Stability(
        learner=name,
        samples=samples,
        rows=len(table),
        classes=table.schema.classes,
        size=_over_samples(np.array([float(size_of(model)[0]) for model in models])),
        unit=unit,
        whole_size=whole_size,
        score_name="accuracy" if table.schema.classes else "RMSE",
        score=_over_samples(answered.scores),
        agreement=answered.agreement(np.ones_like(apart)),
        agreement_apart=answered.agreement(apart),
        in_doubt=answered.in_doubt,
        columns=column_recurrences(models),
        roots=tuple((name, count / samples) for name, count in roots.most_common()),
        whole_root=root_of(with_all) or "",
        rules=None if sets is None else _recurrences(sets, with_all.schema, table, least, most),
        rules_in_common=None if sets is None else part_in_common(sets[1:]),
        terms=term_spreads(models, table),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Answered:
    """What every model answered every row: codes of classes (−1: none), or numbers (NaN: none)."""

    classes: int  # 0: numbers
    answers: Floats  # [sample, row]
    apart: Bools  # [sample, row] it was not learned from
    targets: Floats  # [row]
    weights: Floats  # [row]

    def agreement(self, asked: Bools) -> float:
        """Of two models, on the rows that each is asked."""
        if not self.classes:
            return root_mean_square_difference(self.answers, asked, self.weights)
        counts = counted_answers(self.answers.astype(np.int64), asked, self.classes)
        return pairs_agreeing(counts, self.weights)

    @property
    def in_doubt(self) -> int:
        """Rows whose commonest class is that of less than three quarters of the models."""
        if not self.classes:
            return 0
        everyone = np.ones_like(self.apart)
        counts = counted_answers(self.answers.astype(np.int64), everyone, self.classes)
        return int((counts.max(axis=1) < _SURE * len(self.answers)).sum())

    @property
    def scores(self) -> Floats:
        """[sample] on the rows apart that have a target and got an answer; NaN where there are none."""
        no_answer = self.answers < 0 if self.classes else np.isnan(self.answers)
        no_target = self.targets < 0 if self.classes else np.isnan(self.targets)
        weights = np.where(self.apart & ~no_answer & ~no_target, self.weights, 0.0)
        missed = self.answers - self.targets
        losses = np.where(weights > 0, missed == 0 if self.classes else missed**2, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            means: Floats = (weights * losses).sum(axis=1) / weights.sum(axis=1)
        return means if self.classes else np.sqrt(means)


def _recurrences(
    sets: Sequence[set[Conditions]], schema: Schema, table: Table, least: float, most: int
) -> tuple[RuleRecurrence, ...]:
    """The rules that recur; the first set is that of the model of all rows."""
    of_all, *sampled = sets
    samples = len(sampled)
    counted: Counter[Conditions] = Counter(when for each in sampled for when in each)
    return tuple(
        RuleRecurrence(each.when, each.count / samples, each.when in of_all, each.inside, each.outside)
        for each in recurring_rules(counted, schema, table, least=least * samples, most=most)
    )


def _over_samples(figures: Floats) -> SpreadOver:
    known = figures[np.isfinite(figures)]
    if not len(known):
        return SpreadOver(*[float("nan")] * 4)
    deviation = float(known.std(ddof=1)) if len(known) > 1 else float("nan")
    return SpreadOver(float(known.mean()), deviation, float(known.min()), float(known.max()))


# The stability sheet as text: what stays and what changes when the rows are resampled.


_MOST: Final = 15  # columns or terms that are listed
LEAF: Final = "(no split)"


def stability_as_text(sheet: Stability) -> str:
    """The sheet, part by part; a kind of model has the parts that it can have."""
    lines = [
        f"{sheet.learner} learned {sheet.samples:,} times, each from {many(sheet.rows, 'row')} resampled",
        "",
        *in_columns(stability_figures(sheet)),
    ]
    if sheet.roots:
        roots = []
        for name, part in sheet.roots:
            whole = "as with all rows" if name == sheet.whole_root else ""
            roots.append([f"  {name or LEAF}", percent_to(part, 0), whole])
        lines += ["", "The root", *in_columns(roots)]
    lines += ["", *(_terms(sheet.terms, sheet.unit) if sheet.terms else _columns(sheet.columns))]
    if sheet.rules is not None:
        lines += ["", *_rules(sheet.rules, sheet)]
    if sheet.conclusions:
        lines += ["", *sheet.conclusions]
    return "\n".join(lines)


def stability_figures(sheet: Stability) -> list[list[str]]:
    """The figures that every kind of model has, each with what it is of."""
    rows = [["size", f"{_spread(sheet.size, 3)} {sheet.unit}; {sheet.whole_size:,} from all rows"]]
    if sheet.classes:
        rows.append([f"{sheet.score_name} on rows not drawn", _spread(sheet.score, 3)])
        rows.append(["two models agree on a row", _share(sheet.agreement)])
        rows.append(["… that neither learned from", _share(sheet.agreement_apart)])
        part = f" of {sheet.rows:,} ({percent(sheet.in_doubt / sheet.rows)} %)" if sheet.rows else ""
        rows.append(["rows in doubt", f"{sheet.in_doubt:,}{part}: fewer than 3 of 4 models agree on them"])
    else:
        rows.append([f"{sheet.score_name} on rows not drawn", _spread(sheet.score, 4)])
        rows.append(["two models differ on a row by", f"{_number(sheet.agreement)} (root mean square)"])
        rows.append(["… that neither learned from", _number(sheet.agreement_apart)])
    if sheet.rules_in_common is not None:
        of = "first two splits" if sheet.roots else "rules"
        rows.append([f"{of} that two models share", _share(sheet.rules_in_common)])
    return rows


def _columns(columns: Sequence[ColumnRecurrence]) -> list[str]:
    """The columns with how often they are asked about, and their importances where there are any."""
    if not columns:
        return ["No model asks about any column."]
    weighed = columns[0].importance is not None
    cells = [["Columns", "in models", *(["importance", "±"] if weighed else [])]]
    for each in columns[:_MOST]:
        more = [] if each.importance is None else [f"{each.importance:.3f}", f"{each.deviation:.3f}"]
        cells.append([f"  {each.name}", percent_to(each.part, 0), *more])
    return [*in_columns(cells, "figures"), *_rest(len(columns))]


def _terms(terms: Sequence[TermSpread], unit: str) -> list[str]:
    weights = unit == "weights"
    cells = [["Curves", "in models", "mean points", "±", "alike"]]
    if weights:
        cells = [["Weights", "in models", "mean", "±", "same sign"]]
    for each in terms[:_MOST]:
        alike = percent_to(each.alike, 0) if weights else _number(each.alike)
        figures = [in_digits(each.mean), _number(each.deviation), alike]
        cells.append([f"  {each.name}", percent_to(each.part, 0), *figures])
    return [*in_columns(cells, "figures"), *_rest(len(terms))]


def _rest(count: int) -> list[str]:
    return [f"  … and {count - _MOST:,} more"] if count > _MOST else []


def _rules(rules: Sequence[RuleRecurrence], sheet: Stability) -> list[str]:
    if not rules:
        return ["No rule recurs in enough models to be listed."]
    lines = ["Rules that recur (thresholds at quantiles; * also in the model of all rows)"]
    for rule in rules:
        inside, outside = (_answer(counts, sheet.classes) for counts in (rule.inside, rule.outside))
        mark = "*" if rule.in_whole else " "
        lines.append(
            f"{mark} in {percent_to(rule.part, 0)}: IF {all_of(rule.when)} THEN {inside}, else {outside}"
        )
    return lines


def _answer(counts: tuple[float, ...], classes: tuple[str, ...]) -> str:
    if not classes:
        return figure(counts[1]) if counts[0] > 0 else "no rows"
    total = sum(counts)
    if not total > 0:
        return "no rows"
    best = max(range(len(counts)), key=counts.__getitem__)
    return f"{classes[best]} {percent_to(counts[best] / total)}"


def _spread(over: SpreadOver, digits: int) -> str:
    if np.isnan(over.mean):
        return "–"
    mean, least, most = (_short(each, digits) for each in (over.mean, over.least, over.most))
    doubt = "" if np.isnan(over.deviation) else f" ± {_short(over.deviation, 2)}"
    return f"{mean}{doubt} ({least} to {most})"


def _short(value: float, digits: int) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else in_digits(value, digits)


def _share(part: float) -> str:
    return "–" if np.isnan(part) else percent_to(part)


def _number(value: float) -> str:
    return "–" if np.isnan(value) else in_digits(value, 3)
