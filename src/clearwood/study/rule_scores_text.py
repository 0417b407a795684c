"""Rule scores laid out: each rule above its figures, table by table."""

from __future__ import annotations

import math

from clearwood.scoring.evaluation import without_answer
from clearwood.study.rule_scores import NumberScore, RuleScores, Score, ScoredRule, plain_score
from clearwood.words.columns import in_columns


def scores_as_text(scores: RuleScores) -> str:
    """The tables' sizes, a heading, and every rule with what it covers and answers."""
    return "\n".join(_lines(scores))


def _lines(scores: RuleScores) -> list[str]:
    lines = [
        f"{name}: {table.rows:g} rows{without_answer(table.left_out)}"
        for name, table in scores.tables.items()
    ]
    first = next(iter(scores.tables.values()))
    if not first.rules:
        return lines
    with_costs = any(_has_cost(score) for each in first.rules for score in (each.covers, each.answers))
    cells = [_heading(first.rules[0].covers, scores.confidence, with_costs=with_costs)]
    above: dict[int, str] = {}  # a rule's own line stands above the first line of its figures
    for i, scored in enumerate(first.rules):
        above[len(cells)] = "   OTHERWISE" if scored.rule is None else f"{i + 1:<2} {scored.rule}"
        for name, table in scores.tables.items():
            for label, score in _labelled(table.rules[i]):
                cells.append([f"     {name}, {label}", *_cells(score, with_costs=with_costs)])
    for i, figures in enumerate(in_columns(cells, "figures")):
        lines += [above[i], figures] if i in above else [figures]
    return lines


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
