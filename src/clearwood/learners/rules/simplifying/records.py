"""From arrays to records: one for each rule, with a test for each of its conditions, in words and numbers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from clearwood.learners.rules.simplifying.condition_tests import (
    TEST_NAMES,
    Truth,
    deciding_count,
    exact_beside,
    why_this_test,
)
from clearwood.learners.rules.simplifying.dropping_conditions import TestedConditions, one_against_rest
from clearwood.learners.rules.simplifying.dropping_rules import Fate, Remaining
from clearwood.learners.rules.simplifying.ledger import ConditionTest, RuleRecord, TwoRowTable
from clearwood.learners.rules.simplifying.settings import HowTested
from clearwood.measures.contingency import expected
from clearwood.measures.two_by_two import odds_ratio, phi
from clearwood.models.rule_list import Rule, RuleList
from clearwood.models.words import written
from clearwood.predict.satisfied import Satisfied


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
    columns = {c: names if wide else (names[c], _the_others(names, c)) for c in range(len(names))}
    tested = decided.results
    figures = zip(
        given.members.tolist(),
        truth.then[rule].tolist(),
        tables.tolist(),
        expected_counts.tolist(),
        deciding_count(expected_counts, how.choose_by).tolist(),
        tested.test.tolist(),
        tested.statistic.tolist(),
        tested.df.tolist(),
        tested.p.tolist(),
        decided.adjusted.tolist(),
        phi(narrow).tolist(),
        odds_ratio(narrow).tolist(),
        decided.round.tolist(),
        decided.kept.tolist(),
        exact_beside(tables, tested),
        strict=True,
    )
    tests = []
    for (
        member,
        then,
        table,
        hoped,
        m,
        test,
        statistic,
        df,
        p,
        adjusted,
        size,
        odds,
        turn,
        kept,
        exact,
    ) in figures:
        name = TEST_NAMES[test]
        tests.append(
            ConditionTest(
                condition=given.conditions[member],
                columns=columns[then],
                observed=_cells(table),
                expected=_cells(hoped),
                test=name,
                because=why_this_test(name, m, how.choose_by, forced=how.test is not None, wide=wide),
                statistic=None if name == "fisher" else statistic,
                df=int(df),
                p=p,
                adjusted_p=None if how.adjust is None else adjusted,
                phi=size,
                odds_ratio=odds,
                round=turn,
                kept=kept,
                why=_why_kept(kept, adjusted, how),
                fisher_p=exact,
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


def _cells(table: list[list[float]]) -> TwoRowTable:
    holds, does_not = table
    return tuple(holds), tuple(does_not)


def _the_others(names: tuple[str, ...], own: int) -> str:
    """The column beside a class: by its name where it is but one."""
    return names[1 - own] if len(names) == 2 else f"not {names[own]}"
