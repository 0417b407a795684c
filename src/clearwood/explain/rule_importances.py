"""Importances of rules: each column's share of the impurity that the rules take away from their rows."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures import IMPURITIES
from clearwood.models.rule_list import RuleList
from clearwood.predict.one_by_rules import counts_of_all


def rule_importances(rules: RuleList, measure: str = "gini") -> Floats:
    """[attribute] the parts, adding up to 1; all zero where no rule gains anything.

    A rule gains the weight of its training rows times what their impurity lacks of that of all rows, if it
    lacks any; the columns that its conditions ask about share it equally, however often each is asked. The
    rows that no rule takes gain nothing.

    >>> from clearwood.models.conditions import Equals
    >>> from clearwood.models.rule_list import Otherwise, Rule
    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> wind, sky = Nominal("wind", ("weak", "strong")), Nominal("sky", ("grey", "blue"))
    >>> schema = Schema((wind, sky), Nominal("play", ("no", "yes")))
    >>> first = Rule((Equals("wind", "strong"),), "no", (4.0, 0.0))
    >>> second = Rule((Equals("wind", "weak"), Equals("sky", "blue")), "yes", (0.0, 4.0))
    >>> rule_importances(RuleList(schema, (first, second), Otherwise("no"))).tolist()
    [0.75, 0.25]
    """
    impurity = IMPURITIES[measure]
    before = float(impurity(np.array([counts_of_all(rules)]))[0])
    gained = np.zeros(len(rules.schema.attributes))
    for rule in rules:
        positions = list(dict.fromkeys(rules.schema.positions[condition.name] for condition in rule.when))
        if not positions or not any(rule.counts):
            continue
        gain = sum(rule.counts) * (before - float(impurity(np.array([rule.counts]))[0]))
        gained[positions] += max(gain, 0.0) / len(positions)
    return gained / gained.sum() if gained.any() else gained
