"""What `rules` says: the ledger if asked, each rule with its figures, and the answers before and after."""

from __future__ import annotations

import json
from typing import Any

from clearwood.cli.drawing import page_width
from clearwood.cli.running.rules import RulesAndScores, RulesMade
from clearwood.draw.rules import fold_rule
from clearwood.models.files import to_json
from clearwood.models.rule_text import otherwise_line, write_rules
from clearwood.study.deciding.rows_that_chose import also_chosen, chosen_in_learning
from clearwood.study.rule_scores import score_lines
from clearwood.study.scores import evaluation_to_json, phrase


def made_to_text(made: RulesMade, *, with_rules: bool, with_ledger: bool) -> str:
    """All of it, for a person."""
    parts = []
    if with_ledger and made.ledger is not None:
        parts.append(str(made.ledger))
    if with_rules:
        parts.append("\n".join(_scores(made)))
    if made.after is None:
        parts.append(_judgement("", made.before, weighted=made.weighted))
    else:
        parts.append(
            _judgement("before: ", made.before, weighted=made.weighted)
            + "\n"
            + _judgement("after:  ", made.after, weighted=made.weighted)
        )
    return "\n\n".join(parts)


def made_to_json(made: RulesMade, *, with_ledger: bool) -> dict[str, Any]:
    """All of it, for machines."""
    return {
        "from": made.before.rules.origin.learner,
        "rules": write_rules(made.rules).splitlines(),
        "before": _judgement_to_json(made.before),
        "after": None if made.after is None else _judgement_to_json(made.after),
        "scores": made.scores.to_json(),
        **({"ledger": made.ledger.to_json()} if with_ledger and made.ledger is not None else {}),
        "model": json.loads(to_json(made.rules)),
    }


def _scores(made: RulesMade) -> list[str]:
    """Each rule, folded to the page, with its figures; the default rule with its answer too."""
    laid_out = score_lines(made.scores)
    lines = list(laid_out.heading)
    for each in laid_out.rules:
        rule = otherwise_line(made.rules, counts=False) if each.rule is None else str(each.rule)
        first, *more = fold_rule(rule, page_width() - len(each.ahead))
        lines += [each.ahead + first, *(" " * len(each.ahead) + line for line in more), *each.figures]
    return lines


def _judgement(name: str, judged: RulesAndScores, *, weighted: bool) -> str:
    rules = judged.rules
    size = f"{len(rules):,} {'rule' if len(rules) == 1 else 'rules'}"
    conditions = f"{rules.conditions:,} {'condition' if rules.conditions == 1 else 'conditions'}"
    chose = also_chosen(chosen_in_learning(rules.origin))
    lines = [
        f"{name}{size}, {conditions}",
        "; ".join(filter(None, [f"  training  {phrase(judged.training, weighted=weighted)}", chose])),
    ]
    if judged.held_out is not None:
        lines.append(f"  held out  {phrase(judged.held_out, weighted=weighted)}")
    return "\n".join(lines)


def _judgement_to_json(judged: RulesAndScores) -> dict[str, Any]:
    return {
        "rules": len(judged.rules),
        "conditions": judged.rules.conditions,
        "training": evaluation_to_json(judged.training),
        "training_chose": chosen_in_learning(judged.rules.origin),
        "held_out": None if judged.held_out is None else evaluation_to_json(judged.held_out),
    }
