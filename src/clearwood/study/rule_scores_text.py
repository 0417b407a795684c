"""Rule scores laid out: each rule above its figures, table by table."""

from __future__ import annotations

import math
from dataclasses import dataclass

from clearwood.models.rule_list import Rule
from clearwood.scoring.evaluation import without_answer
from clearwood.study.rule_scores import NumberScore, RuleScores, Score, ScoredRule, plain_score
from clearwood.words.columns import in_columns
from clearwood.words.numbers import with_noun


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


def scores_as_text(scores: RuleScores) -> str:
    """The tables' sizes, a heading, and every rule with what it covers and answers."""
    laid_out = score_lines(scores)
    lines = list(laid_out.heading)
    for each in laid_out.rules:
        lines += [f"{each.ahead}{'OTHERWISE' if each.rule is None else each.rule}", *each.figures]
    return "\n".join(lines)


def score_lines(scores: RuleScores) -> ScoreLines:
    """The scores laid out in columns; how a rule is written above its figures is the caller's."""
    sizes = tuple(
        f"{name}: {with_noun(f'{table.rows:g}', 'row')}{without_answer(table.left_out)}"
        for name, table in scores.tables.items()
    )
    first = next(iter(scores.tables.values()))
    if not first.rules:
        return ScoreLines(sizes, ())
    with_costs = any(_has_cost(score) for each in first.rules for score in (each.covers, each.answers))
    cells = [_heading(first.rules[0].covers, scores.confidence, with_costs=with_costs)]
    ends = []  # where each rule's figures end
    for i in range(len(first.rules)):
        for name, table in scores.tables.items():
            for label, score in _labelled(table.rules[i]):
                cells.append([f"     {name}, {label}", *_cells(score, with_costs=with_costs)])
        ends.append(len(cells))
    heading, *_ = lines = in_columns(cells, "figures")
    rules = (
        RuleLines(i + 1, scored.rule, tuple(lines[start:end]))
        for i, (scored, start, end) in enumerate(zip(first.rules, [1, *ends], ends, strict=False))
    )
    return ScoreLines((*sizes, heading), tuple(rules))


def _labelled(scored: ScoredRule) -> list[tuple[str, Score]]:
    """Once, where the rows a rule covers are those it answers."""
    if plain_score(scored.covers) == plain_score(scored.answers):
        return [("covers = answers", scored.covers)]
    return [("covers", scored.covers), ("answers", scored.answers)]


def _has_cost(score: Score) -> bool:
    return not isinstance(score, NumberScore) and not math.isnan(score.cost)


def _heading(score: Score, confidence: float, *, with_costs: bool) -> list[str]:
    if isinstance(score, NumberScore):
        return ["", "rows", "mean", "RMSE"]
    cost = ["cost per row"] if with_costs else []
    return ["", "rows", "right", "confidence", f"{100 * confidence:g} %", "lift", "coverage", *cost]


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
