"""A rule list's answers to many rows at once: the first rule that holds, or the votes of all that do."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Bools, Floats, Ints
from clearwood.errors import SettingError
from clearwood.measures.wilson import wilson
from clearwood.models.rule_list import RuleList
from clearwood.predict.answers import (
    ShareSmoothing,
    check_smoothing,
    cost_matrix,
    divided,
    holds_medians,
    reach_of,
)
from clearwood.predict.deciding import BY_SHARES, cheapest
from clearwood.predict.matching import first_rule, votes
from clearwood.predict.one_by_rules import behind_answers, counts_of_all
from clearwood.table.table import Table


def codes_of_rules(rules: RuleList, table: Table) -> Ints:
    """[row] the position of each row's class; −1 where the list says nothing."""
    places = {name: code for code, name in enumerate(rules.schema.classes)}
    codes = np.array(
        [-1 if each.then is None else places[str(each.then)] for each in rules.entries], np.int32
    )
    if rules.matching == "first":
        return codes[first_rule(rules, table)]
    sums, held = votes(rules, table, rule_weights(rules)[:-1])
    called = cheapest(divided(sums), cost_matrix(rules.decision))
    return np.where(held > 0, called, codes[-1])


def named_by_rules(rules: RuleList, table: Table) -> Ints:
    """[row] the same, but for rows on which rules vote: those are `BY_SHARES`."""
    codes = codes_of_rules(rules, table)
    if rules.matching == "first":
        return codes
    _, held = votes(rules, table, rule_weights(rules)[:-1])
    return np.where(held > 0, np.int32(BY_SHARES), codes)


def shares_of_rules(rules: RuleList, table: Table, smoothing: ShareSmoothing) -> Floats:
    """[row, class] the class shares of the rows that the rule took in training, or of all rules that vote.

    What stands behind a rule that met no rows is in `behind_answers`. Where the list says nothing, every
    share is 0.
    """
    check_smoothing(smoothing)
    weights = rule_weights(rules)
    whole = divided(np.array([counts_of_all(rules)]) * np.array(rules.decision.factors or 1.0))
    if rules.matching == "first":
        shares = divided(_smoothed(weights, smoothing, whole))
        shares[[each.then is None for each in rules.entries]] = 0.0
        return shares[first_rule(rules, table)]
    sums, held = votes(rules, table, weights[:-1])
    shares = divided(_smoothed(sums, smoothing, whole))
    silent = rules.otherwise.then is None
    shares[held == 0] = 0.0 if silent else divided(_smoothed(weights[-1:], smoothing, whole))[0]
    return shares


def counted_behind(rules: RuleList, table: Table) -> Bools:
    """[row] were rows counted behind its answer? Otherwise its shares only repeat what a rule by hand names.

    What is said otherwise rests on all rows where it took none itself. No answer claims nothing.
    """
    counted = np.array([any(each.counts) or each.then is None for each in rules.entries])
    counted[-1] |= any(counts_of_all(rules))
    if rules.matching == "first":
        return counted[first_rule(rules, table)]
    sums, held = votes(rules, table, counted[:-1, None].astype(np.float64))
    return np.where(held > 0, sums[:, 0] > 0, counted[-1])


def numbers_of_rules(rules: RuleList, table: Table) -> Floats:
    """[row] the number that the first rule to hold answers; NaN where the list says nothing."""
    numbers = np.array([np.nan if each.then is None else float(each.then) for each in rules.entries])
    return numbers[first_rule(rules, table)].astype(np.float64, copy=False)


def intervals_of_rules(rules: RuleList, table: Table, confidence: float) -> Floats:
    """[row, 2] both ends of the interval of each answer, from the rows its rule took in training.

    NaN where the rule took none, or leaves the row unanswered.
    """
    if rules.matching == "vote":
        raise SettingError("Rules that vote share their rows, so their predictions have no intervals.")
    if holds_medians(rules):
        raise SettingError("These rules predict medians, and do not keep what an interval of a median needs.")
    taken = first_rule(rules, table)
    if rules.is_numeric:
        sums = np.array([each.counts or (0.0, 0.0, 0.0) for each in rules.entries])
        weight, value, error = sums[taken].T
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = reach_of(np.where(weight > 0, error / weight, np.nan), weight, confidence)
        return np.stack([value - reach, value + reach], axis=1)
    counts = rule_weights(rules)
    met = np.array([sum(each.counts) for each in rules.entries])
    places = {name: code for code, name in enumerate(rules.schema.classes)}
    called = [places[str(each.then)] if each.then is not None else 0 for each in rules.entries]
    share = divided(counts)[np.arange(len(called)), called]
    ends = np.stack(wilson(share * met, met, confidence), axis=1)
    ends[[not weight or each.then is None for weight, each in zip(met, rules.entries, strict=True)]] = np.nan
    return ends[taken]


def rule_weights(rules: RuleList) -> Floats:
    """[rule + 1, class] what each answer rests on × the decision's factors, what is said otherwise last."""
    counts = np.array(behind_answers(rules), dtype=np.float64).reshape(-1, len(rules.schema.classes))
    return counts * np.array(rules.decision.factors) if rules.decision.factors else counts


def _smoothed(counts: Floats, smoothing: ShareSmoothing, whole: Floats) -> Floats:
    if smoothing is None:
        return counts
    return counts + 1.0 if smoothing == "laplace" else counts + smoothing * whole
