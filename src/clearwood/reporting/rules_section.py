"""The rules: the model's own or those of a tree, how each does, and the tests of their conditions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from clearwood.draw.rules import rule_words
from clearwood.errors import ClearwoodError
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying import RuleRecord, RulesLedger, simplify_rules
from clearwood.learners.rules.simplifying.condition_tests import TITLES
from clearwood.learners.rules.simplifying.ledger import small_count
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import balanced_words, tree_or_rules
from clearwood.predicting.batch import predict, predict_codes
from clearwood.reporting.evaluation_section import by_costs
from clearwood.reporting.markup import (
    columns_table,
    details,
    isolated,
    name_in_sentence,
    paragraph,
    percentage,
)
from clearwood.reporting.page import Section
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, evaluate
from clearwood.study.rule_scores import ClassScore, Score, ScoredRule, rule_scores
from clearwood.study.study import Study
from clearwood.table.table import Table
from clearwood.words.numbers import amount, many, p_value

_MOST: Final = 30  # rules shown
_TESTED: Final = 40  # rules whose tests are shown
_SIMPLIFIED: Final = 2_000  # rules that are tested: of more, nobody reads what is left
_AT_ONCE: Final = 8  # of them, shown unfolded
_FIRST: Final = "A row gets the prediction of the first rule that holds for it."


def rules_section(study: Study) -> Section | None:
    """None for a model that has no rules."""
    model, rows = tree_or_rules(study.model), study.learned_from
    if model is None:
        return None
    if isinstance(model, Tree):
        return Section("rules", "The tree as rules", _of_tree(study, model, rows))
    shown = paragraph("There is no rule: every row gets the same prediction.")
    if len(model):
        shown = _list(study, model, marked=True)
    ledger = None if rows is None else _tests(model, rows)
    return Section("rules", "Its rules", shown + _tests_html(ledger, of_model=True))


def _of_tree(study: Study, tree: Tree, rows: Table | None) -> str:
    plain = rules_of(tree)
    if len(tree.nodes) == 1:
        only = "there is only one rule: the same prediction for every row"
        return paragraph(f"The tree has no split, so that {only}.")
    # Some leaves that no row reaches make no rule.
    left = tree.leaves - len(plain)
    but = f", but for {left:,} that no row reaches," if left else ""
    made = f"Every leaf{but} is a rule: {many(len(plain), 'rule')}."
    if tree.is_numeric or rows is None or len(plain) > _SIMPLIFIED or balanced_words(tree):
        return paragraph(f"{made} {_FIRST}{beside_tree(study, tree, plain, plain)}") + _list(study, plain)
    simplified = simplify_rules(plain, rows)
    lead = (
        f"{made} Conditions that chance explains (p > {simplified.ledger.how.alpha:g}) were dropped from "
        "them, though each rule keeps its most significant one, and then the rules that no row needs. "
        f"{many(len(simplified.rules), 'rule is', 'rules are')} left. {_FIRST}"
        f"{beside_tree(study, tree, plain, simplified.rules)} The rows learned from also chose which "
        "conditions and rules stay, by tests, so that scores on them are too good. The tree remains "
        "the model."
    )
    return paragraph(lead) + _list(study, simplified.rules) + _tests_html(simplified.ledger)


def _tests(rules: RuleList, rows: Table) -> RulesLedger | None:
    """The tests of a list's conditions; None where there is nothing to test them by."""
    if rules.is_numeric or rules.matching != "first" or not len(rules):
        return None
    try:
        return simplify_rules(rules, rows).ledger
    except ClearwoodError:
        return None  # rows of one class only


def _list(study: Study, rules: RuleList, *, marked: bool = False) -> str:
    """The rules with their rows, learned from and held out."""
    words = rule_words(rules)
    heaviest = sorted(range(len(rules)), key=lambda place: -words[place].weight)[:_MOST]
    shown = [*sorted(heaviest), len(rules)]
    columns: dict[str, Sequence[str]] = {
        "number": [words[place].number for place in shown],
        "rule": [" ".join(map(isolated, words[place].when)) for place in shown],
        "predicted": [f"<b>{isolated(words[place].answer)}</b>" for place in shown],
    }
    for name, scored in _scores(study, rules).items():
        weights, good, paid = zip(*(_score(scored, place) for place in shown), strict=True)
        columns[f"{name}: rows"] = weights
        columns[f"{name}: {'off by (RMSE)' if rules.is_numeric else 'right'}"] = good
        if rules.decision.costs_kept:
            columns[f"{name}: cost per row"] = paid
    marks = [f'data-rule="{place}"' for place in shown] if marked else []
    listed = columns_table(columns, numbers=(0, *range(3, len(columns))), marks=marks)
    if len(rules) <= _MOST:
        return listed
    all_of_them = "the model's file has them all" if marked else "clearwood rules writes them all"
    more = f"These are the {_MOST} that take the most rows, of {len(rules):,}; {all_of_them}."
    return listed + paragraph(more, "muted")


def _scores(study: Study, rules: RuleList) -> dict[str, Sequence[ScoredRule]]:
    """The scores of each rule, by the rows it is tried on."""
    first = study.learned_from if study.learned_from is not None else study.held_out
    if first is None:
        return {}
    second = study.held_out if study.learned_from is not None else None
    tables = rule_scores(rules, first, second).tables
    names = ("learned from" if study.learned_from is not None else "this table", "held out")
    return {name: each.rules for name, each in zip(names, tables.values(), strict=False)}


def _score(scored: Sequence[ScoredRule], place: int) -> tuple[str, str, str]:
    """Its rows, how good it is on them, and what it costs."""
    if place >= len(scored):
        return "", "", ""
    score: Score = scored[place].answers
    if isinstance(score, ClassScore):
        known, good, paid = score.right, percentage(score.confidence), score.cost
    else:
        known, good, paid = score.rmse, amount(score.rmse), math.nan
    is_judged = score.support and not math.isnan(known)
    return amount(score.support), good if is_judged else "–", "–" if math.isnan(paid) else amount(paid)


def _tests_html(ledger: RulesLedger | None, *, of_model: bool = False) -> str:
    """The tests, rule by rule."""
    if ledger is None or not any(record.tests for record in ledger):
        return ""
    tested = [record for record in ledger if record.tests]
    records, left = tested[:_TESTED], len(tested) - _TESTED
    lead = (
        "For each condition by itself: does the rule's class come more often where it holds than where it "
        "does not? Chi-square, with Yates' correction where few rows are expected, Fisher's exact test "
        "where very few are."
    )
    if of_model:
        lead += " These tests did not change the model."
    more = paragraph(f"The tests of {many(left, 'rule')} more are not shown.", "muted") if left > 0 else ""
    body = paragraph(lead) + "".join(map(_record, records)) + more
    if len(records) > _AT_ONCE:
        body = details("Every condition with its test", body)
    return f"<h3>Tests of the conditions</h3>{body}"


def _record(record: RuleRecord) -> str:
    tests = record.tests
    columns = {
        "condition": [isolated(str(test.condition)) for test in tests],
        "test": [TITLES[test.test] for test in tests],
        "statistic": ["–" if test.statistic is None else amount(test.statistic) for test in tests],
        "p": [p_value(test.p) for test in tests],
        "Fisher's p": ["" if test.fisher_p is None else p_value(test.fisher_p) for test in tests],
        "what was done": [f"{'kept' if test.kept else 'dropped'}, {isolated(test.why)}" for test in tests],
    }
    caption = f"Rule {record.number}: {record.before}"
    kept = columns_table(columns, numbers=(2, 3, 4), caption=caption)
    small = [f"{test.condition}: {small_count(test)}." for test in tests if test.fisher_p is not None]
    beside = paragraph(f"{' '.join(small)} Fisher's exact test stands beside the one that decided.", "muted")
    return kept + (beside if small else "") + paragraph(f"{record.why[:1].upper()}{record.why[1:]}.", "muted")


# Rules beside the tree they are of: how each does on the same rows, and where they answer otherwise.


def beside_tree(study: Study, tree: Tree, plain: RuleList, shown: RuleList) -> str:
    """Sentences on the rules that are `shown`; `plain` are those of the tree before any was changed."""
    rows, of = study.learned_from, "the rows learned from"
    if rows is None:
        rows, of = study.table, "the rows of this table"
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
