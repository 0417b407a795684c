"""Simplify rules: a rule list in, a shorter one out, with every test and decision written down."""

from clearwood.learners.rules.simplifying.by_tests import SimplifiedRules, simplify_rules
from clearwood.learners.rules.simplifying.ledger import ConditionTest, RuleRecord, RulesLedger

__all__ = ["ConditionTest", "RuleRecord", "RulesLedger", "SimplifiedRules", "simplify_rules"]
