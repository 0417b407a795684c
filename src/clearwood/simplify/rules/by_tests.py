"""Rules simplified by tests: conditions that do not matter go, then rules that are not needed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from clearwood.errors import LearningError, SchemaError, SettingError
from clearwood.learners.settings import flag, one_of
from clearwood.measures import Floats, wilson
from clearwood.models.nodes import Ints
from clearwood.models.origin import Origin
from clearwood.models.rule_list import Otherwise, Rule, RuleList
from clearwood.predict.columns import column_for
from clearwood.predict.satisfied import Places, Satisfied, Words, satisfied, taken, weights_by_class
from clearwood.simplify.rules.condition_tests import ChooseBy, TestName
from clearwood.simplify.rules.dropping_conditions import Truth, decide_conditions
from clearwood.simplify.rules.dropping_rules import drop_rules as drop_needless
from clearwood.simplify.rules.ledger import RulesLedger
from clearwood.simplify.rules.records import records_of
from clearwood.simplify.rules.settings import Adjust, Against, HowTested, Tables
from clearwood.table.table import Table

Order: TypeAlias = Literal["fewest_errors", "given", "confidence"]

ORDERS: Final[tuple[Order, ...]] = get_args(Order)


@dataclass(frozen=True, slots=True)
class SimplifiedRules:
    """The shorter rules, and how they became so."""

    rules: RuleList
    ledger: RulesLedger


def simplify_rules(
    rules: RuleList,
    table: Table,
    *,
    alpha: float = 0.05,
    tables: Tables = "marginal",
    choose_by: ChooseBy = "largest",
    test: TestName | None = None,
    against: Against = "class",
    adjust: Adjust | None = None,
    drop_conditions: bool = True,
    drop_rules: bool = True,
    order: Order = "fewest_errors",
) -> SimplifiedRules:
    """Drop the conditions that chance explains, then the rules that no row needs; say why of each.

    **Step one.** For each rule and condition a table over the training rows: the condition holds or not ×
    the rule's class or not (`against="classes"`: × every class). With m the largest expected count (by
    `choose_by` the smallest), m ≥ 10 is tested by chi-square, 5 ≤ m < 10 with Yates' correction, m < 5 by
    Fisher's exact test; wider tables by chi-square; `test` names one for all. A condition goes where
    p > α. `tables="marginal"` takes all rows, as the textbooks do; "conditional" those that satisfy the
    rule's other conditions, and tests again after each removal, the least significant first. A rule keeps
    at least its most significant condition (the first of equals). A merged interval (`23 < Age ≤ 31`) is one
    condition. With `adjust` the p-values of all conditions tested side by side are one family, in which
    a condition and class that several rules share count once ("marginal").

    **Step two.** Drop duplicates, special cases of another rule of the same class, and rules whose removal
    changes no training prediction; let a default stand in for rules of one class where that costs no
    training error.

    Shortened rules may overlap, and the first that holds answers. Between the steps they are put in `order`:
    as "given"; by "confidence", the lower end of Wilson's interval for the share of the rows they cover that
    they get right; or whichever of the two makes the "fewest_errors" on the training rows, of equals the
    given. In the end each rule's counts are those of the rows that reach it.

    >>> from clearwood import C45, datasets, read_table
    >>> from clearwood.learners.rules_of import rules_of
    >>> table = read_table(datasets.path("tennis_numeric"), target="Play")
    >>> table = table.take(np.tile(np.arange(14), 4))
    >>> simplified = simplify_rules(rules_of(C45().learn(table)), table, drop_rules=False)
    >>> print(simplified.rules)
    IF Outlook = Sunny AND Humidity ≤ 75 THEN Play = Play  (8 rows, 100 %)
    IF Outlook = Sunny AND Humidity > 75 THEN Play = Don't Play  (12 rows, 100 %)
    IF Outlook = Overcast THEN Play = Play  (16 rows, 100 %)
    IF Wind = Weak THEN Play = Play  (12 rows, 100 %)
    IF Wind = Strong THEN Play = Don't Play  (8 rows, 100 %)
    OTHERWISE Play = Play  (56 rows, 64 %)
    >>> print(simplified.ledger.records[3].tests[0])
    Outlook = Rain
                       Play   Don't Play
      holds      12 (12.86)     8 (7.14)
      does not   24 (23.14)   12 (12.86)
      Chi-square: largest expected count 23.14, at least 10.
      χ² = 0.2489 with 1 degree of freedom, p = 0.6179 (φ = −0.067, odds ratio 0.75): dropped, since p > 0.05.
    """
    how = HowTested(
        alpha=alpha, tables=tables, choose_by=choose_by, test=test, against=against, adjust=adjust
    )
    drop_conditions, drop_rules = flag("drop_conditions", drop_conditions), flag("drop_rules", drop_rules)
    one_of("order", order, ORDERS)
    rows, truth = _rows_and_truth(rules, table)
    how.check_for(truth.classes)
    given = satisfied(rules.schema, rules, rows)
    decided = decide_conditions(given, truth, how) if drop_conditions else None
    shorter = given if decided is None else given.with_members(decided.kept)
    classes = rules.schema.classes
    default = rules.otherwise.then
    otherwise = otherwise_before = -1 if default is None else classes.index(str(default))
    places = _places(shorter, truth, otherwise, order)
    shorter = shorter.in_order(places)
    ordered = replace(truth, then=truth.then[places])
    remaining = drop_needless(shorter, ordered, otherwise) if drop_rules else None
    if remaining is not None:
        otherwise = remaining.otherwise
        alive = [i for i, fate in enumerate(remaining.fates) if fate.reason == "kept"]
    else:
        alive = list(range(len(rules)))
    left = shorter.in_order(np.array(alive, dtype=np.int64))
    counts, unanswered = _answered(left, truth)
    new = tuple(
        Rule(left.when(i), classes[ordered.then[rule]], tuple(counts[i].tolist()))
        for i, rule in enumerate(alive)
    )
    last = Otherwise(None if otherwise < 0 else classes[otherwise], _default_counts(unanswered, truth))
    simplified = replace(rules, rules=new, otherwise=last, origin=_origin(rules, how))
    records = records_of(
        rules,
        new,
        given,
        truth,
        how,
        decided,
        None if remaining is None else remaining.fates,
        places.tolist(),
        alive,
    )
    ledger = RulesLedger(
        how=how,
        records=records,
        otherwise_before=default,
        otherwise_after=last.then,
        rows=float(unanswered.sum() + counts.sum()),
        errors_before=_errors(*_answered(given, truth), truth.then, otherwise_before),
        errors_after=_errors(counts, unanswered, ordered.then[alive], otherwise),
    )
    return SimplifiedRules(simplified, ledger)


def _rows_and_truth(rules: RuleList, table: Table) -> tuple[Table, Truth]:
    """The rows with weight and a class the rules know, or a sentence where simplifying makes no sense."""
    target = rules.schema.target
    if rules.is_numeric:
        raise SettingError(
            f"Conditions are tested against a class, and these rules predict the number '{target.name}'."
            if target
            else ""
        )
    if rules.matching == "vote":
        raise SettingError(
            "In this list all rules that hold vote; simplifying is for lists in which the first that holds"
            " answers."
        )
    if target is None or target.name not in table.columns:
        raise SchemaError("To test conditions against the class the table needs the rules' target column.")
    codes = column_for(target, table)
    known = codes >= 0
    if table.weights is not None:
        if not (np.isfinite(table.weights).all() and (table.weights >= 0).all()):
            raise LearningError("Row weights must be finite and not negative.")
        known &= table.weights > 0
    if not known.any():
        raise LearningError(f"No row has both a weight and a class of '{target.name}' that the rules know.")
    rows = table if known.all() else table.take(known)
    then = np.array([rules.schema.classes.index(str(rule.then)) for rule in rules], dtype=np.int32)
    target_codes = np.ascontiguousarray(codes[known], dtype=np.int32)
    return rows, Truth(target_codes, rows.weights, len(rules.schema.classes), then)


def _places(rules: Satisfied, truth: Truth, otherwise: int, order: Order) -> Places:
    """[place] which rule comes there."""
    given = np.arange(len(truth.then))
    if order == "given":
        return given
    sorted_ = _by_confidence(rules, truth)
    if order == "confidence":
        return sorted_
    as_given = _errors(*_answered(rules, truth), truth.then, otherwise)
    as_sorted = _errors(*_answered(rules.in_order(sorted_), truth), truth.then[sorted_], otherwise)
    return sorted_ if as_sorted < as_given * (1 - 1e-10) else given


def _by_confidence(rules: Satisfied, truth: Truth) -> Places:
    """[place] the rules by the lower end of Wilson's interval, on all rows each covers; first of equals."""
    covered = _counts(rules.covered(), truth)
    right = covered[np.arange(len(covered)), truth.then]
    low, _ = wilson(right, covered.sum(axis=1))
    return np.argsort(-low.round(12), kind="stable")


def _counts(sets: Words, truth: Truth) -> Floats:
    return weights_by_class(sets, truth.target, truth.weights, truth.classes)


def _answered(rules: Satisfied, truth: Truth) -> tuple[Floats, Floats]:
    """[rule, class] the rows each rule answers, and [class] those that reach no rule."""
    own, left = taken(rules.covered(), rules.rows)
    counted = _counts(np.concatenate([own, left[None]]), truth)
    return counted[:-1], counted[-1]


def _default_counts(unanswered: Floats, truth: Truth) -> tuple[float, ...]:
    """The rows that reach the default; where none does, all rows."""
    if unanswered.any():
        return tuple(unanswered.tolist())
    return tuple(np.bincount(truth.target, truth.weights, minlength=truth.classes).astype(float).tolist())


def _errors(counts: Floats, unanswered: Floats, then: Ints, otherwise: int) -> float:
    """The weight of the rows answered wrongly, or not at all."""
    right = float(counts[np.arange(len(counts)), then].sum())
    right += float(unanswered[otherwise]) if otherwise >= 0 else 0.0
    return float(counts.sum() + unanswered.sum()) - right


def _origin(rules: RuleList, how: HowTested) -> Origin:
    settings = {**rules.origin.settings, "simplified": asdict(how)}
    return replace(rules.origin, settings=settings)
