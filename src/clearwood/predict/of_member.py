"""A member of an ensemble asked by itself: its shares, the class it votes for, its number."""

from __future__ import annotations

from typing import assert_never

from clearwood.arrays import Floats, Ints
from clearwood.errors import SettingError
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Member
from clearwood.models.linear_model import LinearModel
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict.bayes import codes_of_bayes, shares_of_bayes
from clearwood.predict.of_linear import codes_of_linear, shares_of_linear
from clearwood.predict.of_rules import codes_of_rules, numbers_of_rules, shares_of_rules
from clearwood.predict.of_tree import codes_of_tree, numbers_of_tree, shares_of_tree
from clearwood.table.table import Table


def member_shares(member: Member, table: Table) -> Floats:
    """[row, class] its shares; all 0 where it says nothing."""
    match member:
        case Tree():
            return shares_of_tree(member, table, None)
        case RuleList():
            return shares_of_rules(member, table, None)
        case BayesTables():
            return shares_of_bayes(member, table, None)
        case LinearModel():
            return shares_of_linear(member, table)
        case _:
            assert_never(member)


def member_codes(member: Member, table: Table) -> Ints:
    """[row] the position of the class that it votes for; −1 where it says nothing."""
    match member:
        case Tree():
            return codes_of_tree(member, table)
        case RuleList():
            return codes_of_rules(member, table)
        case BayesTables():
            return codes_of_bayes(member, table)
        case LinearModel():
            return codes_of_linear(member, table)
        case _:
            assert_never(member)


def member_numbers(member: Member, table: Table) -> Floats:
    """[row] its number; NaN where it says nothing."""
    match member:
        case Tree():
            return numbers_of_tree(member, table)
        case RuleList():
            return numbers_of_rules(member, table)
        case BayesTables() | LinearModel():
            raise SettingError("A Bayes or a linear model predicts classes, not numbers.")
        case _:
            assert_never(member)
