"""Rule scores: how much each rule covers and answers, and how well, on training and on held-out rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import Within
from clearwood.errors import SchemaError
from clearwood.learners.rules.rules_of import rules_of
from clearwood.measures.inference import wilson
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import check_kind
from clearwood.predicting.columns import column_for, table_for
from clearwood.predicting.of_rules import counts_by
from clearwood.predicting.satisfied import BitWords, as_truths, satisfied, taken
from clearwood.records import JsonRecord, json_of
from clearwood.scoring.evaluation import without_answer
from clearwood.table.table import MISSING
from clearwood.words.columns import in_columns
from clearwood.words.numbers import with_noun


@dataclass(frozen=True, slots=True)
class ClassScore:
    """A rule's rows against its class; a part of nothing is NaN.

    `support` is the weight of its rows, `right` of those of its class; `confidence` = right ÷ support, which
    Wilson's interval puts between `low` and `high`; `lift` = confidence ÷ the class's part of all rows;
    `coverage` = right ÷ the class's rows; `cost` is what one of its rows costs by the costs of the list, NaN
    where it has none.
    """

    support: float
    right: float
    confidence: float
    low: float
    high: float
    lift: float
    coverage: float
    cost: float = math.nan


@dataclass(frozen=True, slots=True)
class NumberScore:
    """A rule's rows against its number: their weight, their mean, and how far the answer is off (RMSE)."""

    support: float
    mean: float
    rmse: float


Score: TypeAlias = ClassScore | NumberScore


@dataclass(frozen=True, slots=True)
class ScoredRule(JsonRecord):
    """One rule (None: the default rule) on one table.

    It `covers` the rows that satisfy it, and `answers` those that reach it: that no earlier rule takes. In a
    list that votes every rule answers all it covers.
    """

    rule: Rule | None
    covers: Score
    answers: Score


@dataclass(frozen=True, slots=True)
class TableScores:
    """Every rule on one table, in order, the default last if there is one; `left_out` rows have no truth."""

    rows: float
    rules: tuple[ScoredRule, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class RuleScores(JsonRecord):
    """The scores by the name of each table: "training", and "held out" if there are such rows."""

    tables: Mapping[str, TableScores]
    confidence: float

    def __str__(self) -> str:
        """The tables' sizes, a heading, and every rule with what it covers and answers."""
        laid_out = score_lines(self)
        lines = list(laid_out.heading)
        for each in laid_out.rules:
            lines += [f"{each.ahead}{'OTHERWISE' if each.rule is None else each.rule}", *each.figures]
        return "\n".join(lines)


def rule_scores(
    rules: RuleList | Tree, training: Any, held_out: Any = None, *, confidence: float = 0.95
) -> RuleScores:
    """Score each rule on the training rows and, if given, on held-out rows.

    A tree is scored by its rules; the rows are a Table, or anything a table can be made of. A row of a class
    the rules don't know is never answered rightly; one without a class is left out.

    >>> from clearwood import C45, datasets, read_table, rules_of
    >>> table = read_table(datasets.path("tennis_numeric"), target="Play")
    >>> print(rule_scores(rules_of(C45().learn(table)), table))  # doctest: +ELLIPSIS
    training: 14 rows
                                     rows  right  confidence          95 %  lift  coverage
    1  IF Outlook = Overcast THEN Play
         training, covers = decides     4      4        1.00  0.51 to 1.00  1.56      0.44
    2  IF Outlook = Rain AND Wind = Strong THEN Don't Play
         training, covers = decides     2      2        1.00  0.34 to 1.00  2.80      0.40
    ...
    """
    check_kind("rule_scores", rules, RuleList, Tree)
    if isinstance(rules, Tree):
        rules = rules_of(rules)
    Within(0, 1).check("confidence", confidence)
    tables = {"training": training} | ({} if held_out is None else {"held out": held_out})
    return RuleScores({name: _scored(rules, table, confidence) for name, table in tables.items()}, confidence)


def _scored(rules: RuleList, source: Any, confidence: float) -> TableScores:
    table = table_for(rules, source, with_target=True)
    if not len(table):
        raise SchemaError("There are no rows to score the rules on.")
    target = rules.schema.target
    if target is None or target.name not in table.columns:
        raise SchemaError("To score rules the table needs the column they predict.")
    truth = column_for(target, table)
    known = ~np.isnan(truth) if rules.is_numeric else truth != MISSING
    rows, left_out = table.take(known), int((~known).sum())
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    ranked: list[Rule | None] = list(rules)
    then = [rule.then for rule in rules]
    if rules.otherwise.then is not None:
        ranked, then = [*ranked, None], [*then, rules.otherwise.then]
    if rules.is_numeric:
        covered = satisfied(rules.schema, rules, rows).covered()
        own, nobody = taken(covered, len(rows))
        if len(then) > len(rules):
            covered, own = (np.concatenate([sets, nobody[None]]) for sets in (covered, own))
        numbers = np.asarray(truth[known], dtype=np.float64)
        answers = [math.nan if each is None else float(each) for each in then]
        covers = _number_scores(covered, answers, numbers, weights)
        reach = _number_scores(own, answers, numbers, weights)
    else:
        codes = np.asarray(truth[known], dtype=np.int32)
        classes = [-1 if each is None else rules.schema.classes.index(str(each)) for each in then]
        width = len(rules.schema.classes)
        codes = np.where(codes >= 0, codes, width).astype(np.int32)  # one more, for the classes not known
        totals = np.bincount(codes, weights, minlength=width + 1).astype(np.float64)
        counts, first = counts_by(codes, width + 1, rules.schema, rules, rows)
        counts = np.concatenate([counts, first[-1:]])
        chosen = (counts, counts if rules.matching == "vote" else first)
        costs = np.array(rules.decision.costs_kept)
        covers, reach = (
            _class_scores(each[: len(then)], classes, totals, confidence, costs) for each in chosen
        )
    scored = (ScoredRule(rule, c, a) for rule, c, a in zip(ranked, covers, reach, strict=True))
    return TableScores(float(weights.sum()), tuple(scored), left_out)


def _class_scores(
    counts: Floats, classes: list[int], totals: Floats, confidence: float, costs: Floats
) -> list[Score]:
    support = counts.sum(axis=1)
    right = counts[np.arange(len(counts)), classes]
    of_class = totals[classes]
    low, high = wilson(right, support, confidence)
    refers = np.array(classes) < 0  # such a rule leaves its rows unanswered: none is right, and none wrong
    right, low, high = (np.where(refers, np.nan, each) for each in (right, low, high))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = right / support
        lift, coverage = share / (of_class / totals.sum()), right / of_class
        cost = np.full(len(counts), np.nan)
        if costs.size:  # of the rows whose class is known: no other has a cost
            known = counts[:, :-1]
            paid = (known * costs[:, classes].T).sum(axis=1) / known.sum(axis=1)
            cost = np.where(refers, np.nan, paid)
    columns = (support, right, share, low, high, lift, coverage, cost)
    return [ClassScore(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _number_scores(sets: BitWords, answers: list[float], numbers: Floats, weights: Floats) -> list[Score]:
    scores: list[Score] = []
    for bits, answer in zip(sets, answers, strict=True):
        chosen = as_truths(bits, len(numbers))
        y, w = numbers[chosen], weights[chosen]
        total = float(w.sum())
        if not total:
            scores.append(NumberScore(0.0, math.nan, math.nan))
            continue
        off = math.sqrt(float((w * (y - answer) ** 2).sum()) / total)
        scores.append(NumberScore(total, float((w * y).sum()) / total, off))
    return scores


# Rule scores laid out: each rule above its figures, table by table.


@dataclass(frozen=True, slots=True)
class RuleLines:
    """A rule (None: the default rule), its number in the list, and a line for each of its figures."""

    number: int
    rule: Rule | None
    figures: tuple[str, ...]

    @property
    def ahead(self) -> str:
        """What stands before the rule: its number; the default rule has none."""
        return f"{'' if self.rule is None else self.number:<2} "


@dataclass(frozen=True, slots=True)
class ScoreLines:
    """The tables' sizes and the heading of the figures, then every rule with its own."""

    heading: tuple[str, ...]
    rules: tuple[RuleLines, ...]


def score_lines(scores: RuleScores) -> ScoreLines:
    """The scores laid out in columns; how a rule is written above its figures is the caller's."""
    sizes = tuple(
        f"{name}: {with_noun(f'{table.rows:g}', 'row')}{without_answer(table.left_out)}"
        for name, table in scores.tables.items()
    )
    first = next(iter(scores.tables.values()))
    if not first.rules:
        return ScoreLines(sizes, ())
    both = [score for each in first.rules for score in (each.covers, each.answers)]
    with_costs = any(isinstance(each, ClassScore) and not math.isnan(each.cost) for each in both)
    cells = [["", "rows", "mean", "RMSE"]]
    if isinstance(both[0], ClassScore):
        heads = ["rows", "right", "confidence", f"{100 * scores.confidence:g} %", "lift", "coverage"]
        cells = [["", *heads, *(["cost per row"] if with_costs else [])]]
    ends = []  # where each rule's figures end
    for i in range(len(first.rules)):
        for name, table in scores.tables.items():
            labelled = {"covers": table.rules[i].covers, "decides": table.rules[i].answers}
            if json_of(labelled["covers"]) == json_of(labelled["decides"]):  # the same rows: once
                labelled = {"covers = decides": table.rules[i].covers}
            for label, score in labelled.items():
                cells.append([f"     {name}, {label}", *_cells(score, with_costs=with_costs)])
        ends.append(len(cells))
    heading, *_ = lines = in_columns(cells, "figures")
    rules = (
        RuleLines(i + 1, scored.rule, tuple(lines[start:end]))
        for i, (scored, start, end) in enumerate(zip(first.rules, [1, *ends], ends, strict=False))
    )
    return ScoreLines((*sizes, heading), tuple(rules))


def _cells(score: Score, *, with_costs: bool) -> list[str]:
    if isinstance(score, NumberScore):
        return [f"{score.support:.6g}", f"{score.mean:.6g}", f"{score.rmse:.6g}"]
    if math.isnan(score.right):
        return [f"{score.support:.6g}", *["–"] * (5 + with_costs)]
    reach = f"{score.low:.2f} to {score.high:.2f}"
    parts = (score.confidence, score.lift, score.coverage)
    share, lift, coverage = ("–" if math.isnan(part) else f"{part:.2f}" for part in parts)
    cost = [] if not with_costs else ["–" if math.isnan(score.cost) else f"{score.cost:.3g}"]
    return [f"{score.support:.6g}", f"{score.right:.6g}", share, reach, lift, coverage, *cost]
