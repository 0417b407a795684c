"""Rules simplified by tests: conditions that do not matter go, then rules that are not needed."""

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.formulas.conditions import written
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying.condition_tests import (
    TEST_NAMES,
    Adjust,
    Against,
    Alpha,
    ChosenBy,
    DropConditions,
    DropRules,
    HowTested,
    InOrder,
    OneTest,
    Tables,
    TestedConditions,
    Truth,
    decide_conditions,
    deciding_count,
    exact_beside,
    one_against_rest,
    rows_and_truth,
    why_this_test,
)
from clearwood.learners.rules.simplifying.dropping_rules import (
    Fate,
    Remaining,
    answered,
    errors_of,
    places_of,
)
from clearwood.learners.rules.simplifying.dropping_rules import drop_rules as drop_needless
from clearwood.learners.rules.simplifying.ledger import ConditionTest, RuleRecord, RulesLedger, TwoRowTable
from clearwood.measures.contingency import expected, odds_ratio, phi
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import Simplified
from clearwood.models.model import check_kind
from clearwood.predicting.columns import table_for
from clearwood.predicting.satisfied import Satisfied, satisfied
from clearwood.registry import checked
from clearwood.table.folding import order_of_sums


@dataclass(frozen=True, slots=True)
class SimplifiedRules:
    """The shorter rules, and how they became so."""

    rules: RuleList
    ledger: RulesLedger


@checked
def simplify_rules(
    rules: RuleList | Tree,
    table: Any,
    *,
    alpha: Alpha = 0.05,
    tables: Tables = "marginal",
    choose_by: ChosenBy = "largest",
    test: OneTest = None,
    against: Against = "class",
    adjust: Adjust = None,
    drop_conditions: DropConditions = True,
    drop_rules: DropRules = True,
    order: InOrder = "fewest_errors",
) -> SimplifiedRules:
    """Drop the conditions that chance explains, then the rules that no row needs, and give every reason.

    A tree is simplified by its rules; `table` is a Table, or anything a table can be made of.

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
    given. An error counts what it costs by the list's own decision, times the factor of its class; no answer
    as much as the dearest mistake. In the end each rule's counts
    are those of the rows that reach it, and so are the default's.

    >>> from clearwood import C45, datasets, read_table
    >>> from clearwood.learners.rules.rules_of import rules_of
    >>> table = read_table(datasets.path("tennis_numeric"), target="Play")
    >>> table = table.take(np.tile(np.arange(14), 4))
    >>> simplified = simplify_rules(rules_of(C45().learn(table)), table, drop_rules=False)
    >>> print(simplified.rules)
    IF Outlook = Overcast THEN Play = Play  (16 rows, 100 %)
    IF Outlook = Sunny AND Humidity > 75 THEN Play = Don't Play  (12 rows, 100 %)
    IF Outlook = Sunny AND Humidity ≤ 75 THEN Play = Play  (8 rows, 100 %)
    IF Wind = Weak THEN Play = Play  (12 rows, 100 %)
    IF Wind = Strong THEN Play = Don't Play  (8 rows, 100 %)
    OTHERWISE Play = Play  (0 rows)
    >>> print(simplified.ledger.records[2].tests[0])
    Outlook = Rain
                       Play   Don't Play
      holds      12 (12.86)     8 (7.14)
      does not   24 (23.14)   12 (12.86)
      Chi-square: largest expected count 23.14, at least 10.
      χ² = 0.2489 with 1 degree of freedom, p = 0.6179 (φ = −0.067, odds ratio 0.75): dropped, since p > 0.05.
    """
    check_kind("simplify_rules", rules, RuleList, Tree)
    if isinstance(rules, Tree):
        rules = rules_of(rules)
    table = order_of_sums(table_for(rules, table, with_target=True))
    how = HowTested(
        alpha=alpha, tables=tables, choose_by=choose_by, test=test, against=against, adjust=adjust
    )
    steps = {"drop_conditions": drop_conditions, "drop_rules": drop_rules, "order": order}
    rows, truth = rows_and_truth(rules, table)
    how.check_for(truth.classes)
    given = satisfied(rules.schema, rules, rows)
    decided = decide_conditions(given, truth, how) if drop_conditions else None
    shorter = given if decided is None else given.with_members(decided.kept)
    tests = None if decided is None else tests_of(rules, given, truth, how, decided)
    default, classes = rules.otherwise.then, rules.schema.classes
    code = -1 if default is None else classes.index(str(default))
    covered = shorter.covered()
    places = places_of(covered, truth, code, order)
    shorter, covered, then = shorter.in_order(places), covered[places], truth.then[places]
    if drop_rules:
        remaining = drop_needless(shorter, covered, replace(truth, then=then), code)
    else:
        remaining = Remaining((Fate("not asked"),) * len(then), code)
    alive = remaining.alive
    kept, then = shorter.in_order(np.array(alive, dtype=np.intp)), then[alive]
    counts, unanswered = answered(covered[alive], truth)
    new = tuple(
        Rule(kept.when(i), classes[answer], tuple(counts[i].tolist())) for i, answer in enumerate(then)
    )
    answer = None if remaining.otherwise < 0 else classes[remaining.otherwise]
    always = (counts.sum(axis=0) + unanswered) @ truth.costs[:, : truth.classes]  # [called class]
    ledger = RulesLedger(
        how=how,
        records=records_of(rules, new, tests, remaining, places.tolist()),
        order=tuple((places + 1).tolist()),
        otherwise_before=default,
        otherwise_after=answer,
        rows=float(unanswered.sum() + counts.sum()),
        errors_before=errors_of(*answered(given.covered(), truth), truth.then, code, truth),
        errors_after=errors_of(counts, unanswered, then, remaining.otherwise, truth),
        weighed=bool(rules.decision.costs or rules.decision.factors),
        constant=classes[int(always.argmin())],
        errors_constant=float(always.min()),
    )
    conditions = sum(len(rule.when) for rule in new)
    done = Simplified({**asdict(how), **steps}, len(rules), len(new), rules.conditions, conditions)
    otherwise = Otherwise(answer, tuple(unanswered.tolist()))
    shortened = replace(rules, rules=new, otherwise=otherwise, origin=rules.origin.then(done))
    return SimplifiedRules(shortened, ledger)


# From arrays to records: one for each rule, with a test for each of its conditions, in words and numbers.


def records_of(
    rules: RuleList,
    new: Sequence[Rule],
    tests: Sequence[tuple[ConditionTest, ...]] | None,
    remaining: Remaining,
    order: Sequence[int],
) -> tuple[RuleRecord, ...]:
    """`order` [place] are the given rules as `remaining` numbers them; `new` are those of them that stay."""
    place_of = {rule: place for place, rule in enumerate(order)}
    new_place = {place: i for i, place in enumerate(remaining.alive)}
    records = []
    for number, rule in enumerate(rules):
        place = place_of[number]
        at = new_place.get(place)
        fate = remaining.fates[place]
        records.append(
            RuleRecord(
                number=number + 1,
                before=rule,
                tests=() if tests is None else tests[number],
                after=None if at is None else new[at],
                place=None if at is None else at + 1,
                reason=fate.reason,
                why=_why(fate, order),
                rows=fate.rows,
                changed=fate.changed,
            )
        )
    return tuple(records)


def _why(fate: Fate, order: Sequence[int]) -> str:
    one = fate.rows == 1
    rows = f"{fate.rows:g} {'row that reaches' if one else 'rows that reach'} it"
    match fate.reason:
        case "duplicate":
            return f"says the same as rule {order[fate.other] + 1}"
        case "subsumed":
            return f"a special case of rule {order[fate.other] + 1}, which says the same"
        case "redundant":
            if not fate.rows:
                return "no training row reaches it"
            return f"the {rows} {'gets' if one else 'get'} the same prediction without it"
        case "default":
            return f"the default says the same of the {rows}, at no training error"
        case "not asked":
            return "dropping whole rules was not requested"
        case "kept":
            return f"without it {fate.changed:g} of the {rows} would get another prediction"


def tests_of(
    rules: RuleList, given: Satisfied, truth: Truth, how: HowTested, decided: TestedConditions
) -> list[tuple[ConditionTest, ...]]:
    """[rule] the tests of its conditions, in order."""
    lengths = (given.starts[1:] - given.starts[:-1]).tolist()
    rule = [i for i, length in enumerate(lengths) for _ in range(length)]
    classes = rules.schema.classes
    wide = how.against == "classes" and len(classes) > 2
    narrow = one_against_rest(decided.counts, truth.then[rule])
    tables = decided.counts if wide else narrow
    expected_counts = expected(tables)
    names = tuple(map(written, classes))
    others = names[::-1] if len(names) == 2 else tuple(f"not {name}" for name in names)
    columns = [names] * len(names) if wide else list(zip(names, others, strict=True))
    deciding, tested = deciding_count(expected_counts, how.choose_by), decided.results
    sizes, odds, exact = phi(narrow), odds_ratio(narrow), exact_beside(tables, tested)
    tests = []
    for i, (member, code) in enumerate(zip(given.members.tolist(), truth.then[rule].tolist(), strict=True)):
        name, kept = TEST_NAMES[tested.test[i]], bool(decided.kept[i])
        adjusted, forced = float(decided.adjusted[i]), how.test is not None
        tests.append(
            ConditionTest(
                condition=given.conditions[member],
                columns=columns[code],
                observed=_cells(tables[i]),
                expected=_cells(expected_counts[i]),
                test=name,
                because=why_this_test(name, float(deciding[i]), how.choose_by, forced=forced, wide=wide),
                statistic=None if name == "fisher" else float(tested.statistic[i]),
                df=int(tested.df[i]),
                p=float(tested.p[i]),
                adjusted_p=None if how.adjust is None else adjusted,
                phi=float(sizes[i]),
                odds_ratio=float(odds[i]),
                round=int(decided.round[i]),
                kept=kept,
                why=_why_kept(kept, adjusted, how),
                fisher_p=exact[i],
            )
        )
    starts = given.starts.tolist()
    return [tuple(tests[begin:end]) for begin, end in itertools.pairwise(starts)]


def _why_kept(kept: bool, p: float, how: HowTested) -> str:
    """What decided, as a clause."""
    name = "p" if how.adjust is None else "adjusted p"
    if not kept:
        return f"since {name} > {how.alpha:g}"
    if p <= how.alpha * (1 + 1e-10):
        return f"since {name} ≤ {how.alpha:g}"
    return f"though {name} > {how.alpha:g}: it is its rule's most significant condition, and one must stay"


def _cells(table: Floats) -> TwoRowTable:
    holds, does_not = table.tolist()
    return tuple(holds), tuple(does_not)
