"""Importances: each column's share of all the impurity that the tree's splits take away."""

from __future__ import annotations

from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.measures import IMPURITIES
from clearwood.models.account.account import AccountTerm, KernelDensity, NormalDensity, Places
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import (
    bell_of,
    floats,
    log_priors,
    matrix,
)
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Gaussian,
    Kernel,
    Words,
)
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.rules.rule_list import RuleList, counts_of_all
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import account_of
from clearwood.predicting.added import added


def tree_importances(tree: Tree, measure: str = "gini") -> Floats:
    """[attribute] the parts, adding up to 1; all zero where nothing was split, or nothing gained."""
    decrease = np.maximum(impurity_decreases(tree, measure), 0.0)
    return decrease / decrease.sum() if decrease.any() else decrease


def impurity_decreases(tree: Tree, measure: str = "gini") -> Floats:
    """[attribute] weight times impurity that the splits on it take away.

    For classes by this measure of the nodes' counts (times the factors of priors, if any), for numbers
    by the nodes' errors.
    """
    nodes = tree.nodes
    if tree.is_numeric:
        impurity = nodes.counts[:, 2]
    else:
        counts = nodes.counts * np.array(tree.decision.factors or 1.0)
        impurity = counts.sum(axis=1) * IMPURITIES[measure](counts)
    splits = np.flatnonzero(~nodes.is_leaf)
    columns = len(tree.schema.attributes)
    # The children of a split begin right after it, and a child's branch holds the attribute of the split.
    before = np.bincount(nodes.attribute[splits + 1], impurity[splits], minlength=columns)
    after = np.bincount(nodes.attribute[1:], impurity[1:], minlength=columns)
    return np.asarray(before - after, dtype=np.float64)


def importances_of_trees(ensemble: Ensemble, measure: str = "") -> Floats:
    """[attribute] the mean of the trees' importances, by their weights; of a sum, whose steps share one
    scale, each column's part of all that the splits of all trees gain."""
    trees = ensemble.trees
    if trees is None:
        raise SettingError("Impurity importances are of trees; the members of this ensemble are others.")
    columns = len(ensemble.schema.attributes)
    if ensemble.combined_by == "sum" and trees.score_names:
        splits = np.flatnonzero(~trees.nodes.is_leaf)
        gains = np.nan_to_num(trees.nodes.scores[splits, 0])
        total: Floats = np.bincount(trees.nodes.attribute[splits + 1], gains, minlength=columns).astype(
            np.float64
        )
    else:
        named = measure or (trees.measure if trees.measure in IMPURITIES else "gini")
        total = np.zeros(columns)
        for place, member in enumerate(ensemble.members):
            assert isinstance(member, Tree)
            total += ensemble.weight(place) * tree_importances(member, named)
    return total / total.sum() if total.sum() > 0 else total


# Importances of rules: each column's share of the impurity that the rules take away from their rows.


def rule_importances(rules: RuleList, measure: str = "gini") -> Floats:
    """[attribute] the parts, adding up to 1; all zero where no rule gains anything.

    A rule gains the weight of its training rows times what their impurity lacks of that of all rows, if it
    lacks any; the columns that its conditions ask about share it equally, however often each is asked. The
    rows that no rule takes gain nothing.

    >>> from clearwood.formulas.conditions import Equals
    >>> from clearwood.models.kinds.rules.rule_list import Otherwise, Rule
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


# Importances in a Bayes model: how much each column is expected to tell about the class.


_NODES: Final = np.polynomial.hermite_e.hermegauss(64)  # of a bell curve: where, and with what weight


def bayes_importances(model: BayesTables) -> Floats:
    """[attribute] each column's share of the mutual information of column and class; they add up to 1, or
    are all zero where no column tells anything.

    It is what the model itself believes, by its priors and smoothed probabilities: Σ P(c) Σ P(x|c) · log
    (P(x|c) ÷ P(x)), over values or intervals; over 64 points of each bell curve, and the points of a kernel.
    Of a column in a bag it is that of one thing counted, times the things in an average row (bernoulli: of
    its presence); of a text the sum over its words. Columns are taken one by one, as Naive Bayes takes
    them: two that say the same both count.
    """
    informed = np.zeros(len(model.schema.attributes))
    terms = {term.name: term for term in account_of(model).terms}
    priors = np.exp(log_priors(model))
    for each in model.distributions:
        for name, information in _informed(model, each, terms, priors).items():
            informed[model.schema.positions[name]] = max(
                information, 0.0
            )  # rounding may leave less than nothing
    return informed / informed.sum() if informed.any() else informed


def _informed(
    model: BayesTables, distribution: Distribution, terms: dict[str, AccountTerm], priors: Floats
) -> dict[str, float]:
    """The mutual information of each column that the distribution reads."""
    match distribution:
        case Categorical(name) | Cuts(name) | Gaussian(name) | Kernel(name):
            term = terms.get(name)
            return {} if term is None else {name: _of_term(term, distribution, priors)}
        case Bag(names, event):
            counts = matrix(distribution.counts, len(names))
            if event == "bernoulli":
                information = _of_presence(
                    counts, matrix(distribution.known, len(names)), distribution.alpha, priors
                )
            else:
                information = _of_things(counts, distribution.alpha, floats(model.classes).sum(), priors)
            return dict(zip(names, information.tolist(), strict=True))
        case Words(name, event):
            counts = matrix(distribution.counts, len(distribution.words))
            known = floats(distribution.known)
            if event == "bernoulli":
                met = matrix(distribution.documents, len(distribution.words))
                known = np.broadcast_to(known[:, None], met.shape)
                return {name: float(_of_presence(met, known, distribution.alpha, priors).sum())}
            return {name: float(_of_things(counts, distribution.alpha, known.sum(), priors).sum())}
        case _:
            assert_never(distribution)


def _of_term(term: AccountTerm, distribution: Distribution, priors: Floats) -> float:
    """Σ P(c) · the expectation within c of log P(x|c) − log P(x)."""
    total = 0.0
    for c in np.flatnonzero(priors).tolist():
        match term:
            case Places(_, logs):
                under = logs[:-2]  # without missing and unseen
                weights = np.exp(under[:, c])
            case NormalDensity():
                assert isinstance(distribution, Gaussian)
                bells = bell_of(distribution)
                assert bells is not None, "a column with a term varied"
                weights = _NODES[1] / _NODES[1].sum()
                under = added(term, bells[0][c] + np.sqrt(bells[1][c]) * _NODES[0])
            case KernelDensity(_, points, shares):
                weights, under = np.exp(shares[c]), added(term, points[c])
            case _:
                raise AssertionError(f"a term of {type(term).__name__} is of a bag or a text")
        known = weights > 0
        here = under[known]
        with np.errstate(divide="ignore"):
            mixed = np.logaddexp.reduce(here + np.log(priors), axis=1)
        total += float(priors[c] * np.dot(weights[known], here[:, c] - mixed))
    return total


def _of_things(counts: Floats, alpha: float, rows: float, priors: Floats) -> Floats:
    """[column] of one thing counted: is it this column's? Times the things in an average row."""
    smoothed = counts + alpha
    sizes = smoothed.sum(axis=1, keepdims=True)
    chances = np.divide(
        smoothed, sizes, out=np.full_like(smoothed, 1 / max(counts.shape[1], 1)), where=sizes > 0
    )
    return _of_chances(chances, priors) * (counts.sum() / rows if rows > 0 else 0.0)


def _of_presence(counts: Floats, known: Floats, alpha: float, priors: Floats) -> Floats:
    """[column] of its being there or not."""
    sizes = known + 2 * alpha
    chances = np.divide(counts + alpha, sizes, out=np.full_like(sizes, 0.5), where=sizes > 0)
    return _of_chances(chances, priors)


def _of_chances(chances: Floats, priors: Floats) -> Floats:
    """[column] the mutual information of the class and an event of these chances [class, column]."""
    mixed = priors @ chances
    with np.errstate(divide="ignore", invalid="ignore"):
        yes = np.where(chances > 0, chances * np.log(chances / mixed), 0.0)
        no = np.where(chances < 1, (1 - chances) * np.log((1 - chances) / (1 - mixed)), 0.0)
    information: Floats = priors @ (yes + no)
    return information
