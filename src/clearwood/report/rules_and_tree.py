"""Rules beside the tree they are of: how each does on the same rows, and where they answer otherwise."""

from __future__ import annotations

import numpy as np

from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict import predict, predict_codes
from clearwood.report.evaluation_section import by_costs
from clearwood.report.markup import name_in_sentence
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, evaluate
from clearwood.study.study import Study
from clearwood.words.numbers import amount, many


def beside_tree(study: Study, tree: Tree, plain: RuleList, shown: RuleList) -> str:
    """Sentences on the rules that are `shown`; `plain` are those of the tree before any was changed."""
    rows = study.learned_from if study.learned_from is not None else study.table
    of = "the rows learned from" if study.learned_from is not None else "the rows of this table"
    by_rules, by_tree = evaluate(shown, rows), evaluate(tree, rows)
    errors = f"{_off(by_rules, 'the rules')}, {_off(by_tree, 'the tree')}"
    sentences = f" On {of}, {errors}.{_cost(by_rules, by_tree)}"
    answers = predict if tree.is_numeric else predict_codes
    other = int((np.asarray(answers(tree, rows)) != np.asarray(answers(plain, rows))).sum())
    if other:
        sentences += (
            " Rules and tree differ on empty cells and on values that no branch names: a tree divides such a "
            f"row or uses another column, which no rule can. {many(other, 'row gets', 'rows get')} another "
            "prediction from the leaves read as rules."
        )
    return sentences


def _off(evaluation: Evaluation, who: str) -> str:
    if isinstance(evaluation, ClassEvaluation):
        errors = evaluation.weight - evaluation.right
        verb = "err" if who == "the rules" else "errs"
        return f"{who} {verb} {amount(errors)} {'time' if errors == 1 else 'times'}"
    name, value = evaluation.score
    return f"{who} {'are' if who == 'the rules' else 'is'} off by {amount(value)} ({name})"


def _cost(by_rules: Evaluation, by_tree: Evaluation) -> str:
    """What a row costs by the tree's costs, with the best constant answer; empty where it has none."""
    if not isinstance(by_rules, ClassEvaluation) or not isinstance(by_tree, ClassEvaluation):
        return ""
    rules, tree = by_rules.cost, by_tree.cost
    if rules is None or tree is None:
        return ""
    return (
        f" {by_costs(by_tree)} a row costs {amount(rules.per_row)} with the rules, {amount(tree.per_row)} "
        f"with the tree; the best constant prediction, {name_in_sentence(tree.constant)}, "
        f"{amount(tree.constant_per_row)}."
    )
