"""From a model to its decision table, or the reason why it has none."""

import math
from typing import TypeGuard

from clearwood.errors import SettingError
from clearwood.explaining.scorecard import Scorecard
from clearwood.exporting.exportable import Exportable, export_in_words, inputs_of
from clearwood.exporting.tables.lines import DecisionRow, DecisionTable
from clearwood.exporting.tables.of_tree import table_of_tree
from clearwood.exporting.tables.sum_reading import AddsUp
from clearwood.exporting.tables.sum_table import MOST_LINES, sum_table
from clearwood.formulas.conditions import Condition, never_holds
from clearwood.models.kinds.rules.rule_list import Rule
from clearwood.models.kinds.rules.rules_program import first_answers, rule_texts
from clearwood.models.kinds.tree.paths import merged_conditions
from clearwood.models.model import AdditiveModel, LinearModel, RuleList, Tree


def decision_table(model: Exportable) -> DecisionTable:
    """The decision table of a tree, or of rules of which the first that holds answers.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> made = decision_table(cw.CART().learn(table))
    >>> [str(each) for each in made.rows[0].when.values()], made.rows[0].answer
    (['Outlook = Overcast'], 'Yes')
    """
    made = _table_or_reason(model)
    if isinstance(made, str):
        raise SettingError(made)
    return made


def refused_by_tables(model: Exportable) -> str | None:
    """Why neither a decision table nor a table of sums says what it does; None: one of them does."""
    return _refused_as_sum(model) if adds_up(model) else refused_by_table(model)


def _refused_as_sum(model: AddsUp) -> str | None:
    if model.decision.adjusts:
        return (
            "This model's calibration or prevalence changes its probabilities after all is added up, which "
            "is no sum. Export it to excel, python or another language."
        )
    lines = len(sum_table(model).rows)
    if lines <= MOST_LINES:
        return None
    return (
        f"A table of this model would have {lines:,} lines. Make a scorecard of it, scorecard(model), or "
        "export it to excel, python or another language."
    )


def adds_up(model: Exportable) -> TypeGuard[AddsUp]:
    """Is its answer a sum of what its cells add?"""
    return isinstance(model, LinearModel | AdditiveModel | Scorecard)


def refused_by_table(model: Exportable) -> str | None:
    """Why no decision table says what this model does; None: one does."""
    made = _table_or_reason(model)
    return made if isinstance(made, str) else None


def _table_or_reason(model: Exportable) -> DecisionTable | str:
    if isinstance(model, RuleList):
        if model.matching == "first":
            return table_of_rules(model)
        return (
            "These rules vote, and a decision table has one row that decides. "
            "Export them to excel, python or another language."
        )
    if isinstance(model, Tree):
        return _of_tree(model)
    if adds_up(model):
        return (
            f"A decision table holds a tree or rules, but this is {export_in_words(model)}, which adds up. "
            "Export it to markdown or csv, which hold its lines, or to excel, python or another language."
        )
    return (
        f"Tables hold trees, rules, scorecards and models of one sum, but this is {export_in_words(model)}. "
        "Export it to excel, python or another language."
    )


def _of_tree(tree: Tree) -> DecisionTable | str:
    made = table_of_tree(tree)
    if made is not None:
        return made
    return (
        f"This tree of {tree.leaves:,} leaves sends rows with missing cells so many ways (down several "
        "branches at once, or by surrogates) that its decision table would have thousands of rows. "
        "Prune it, learn it with another `missing` or without surrogates, or export it to excel, "
        "python or another language."
    )


# Rules as a decision table: one row per rule, and a last one for what is said otherwise.


def table_of_rules(rules: RuleList) -> DecisionTable:
    """The table of rules of which the first that holds answers. Rules that cannot hold are left out."""
    if rules.is_numeric:
        answers: list[str | float | None] = [
            None if each.then is None else float(each.then) for each in rules.entries
        ]
        shares: list[list[float]] = [[] for _ in rules.entries]
    else:
        codes, shares = first_answers(rules)
        answers = [None if code < 0 else rules.schema.classes[int(code)] for code in codes]
    rows = []
    for entry, answer, share, reason in zip(rules.entries, answers, shares, rule_texts(rules), strict=True):
        when: tuple[Condition, ...] = ()
        if isinstance(entry, Rule):
            when = merged_conditions(list(entry.when))
        if any(map(never_holds, when)):
            continue
        known = {each.name: each for each in when}
        weight = rules.weight(entry)
        known_weight = None if math.isnan(weight) else weight
        rows.append(DecisionRow(known, frozenset(), answer, tuple(share), known_weight, reason))
    return DecisionTable(rules, inputs_of(rules), tuple(rows), "first")
