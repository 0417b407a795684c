"""`audit`: what is certain about a rule list, everywhere in its space, by algebra and not by trial."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from clearwood.audit.findings import Audit, Impossible
from clearwood.audit.gaps import Work, dead_rules, gaps_of, redundant_rules, work_for
from clearwood.audit.pairs import pairs_of
from clearwood.audit.space import row_weights, try_rows
from clearwood.errors import SettingError
from clearwood.learners.rules.rules_of import rules_of
from clearwood.models.kept import check_kind
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.words.numbers import number

BUDGET: Final = 10_000_000  # boxes looked at: some seconds


def audit(rules: RuleList | Tree, table: Any = None, *, most: int = 20, budget: int = BUDGET) -> Audit:
    """Overlaps, conflicts, gaps, dead and redundant rules, and what the order of the rules decides.

    Every row that could be is considered: any number, any value of the schema, a value never met, an empty
    cell. Each finding comes with a row that shows it. With a `table` (or what one can be made of) the
    findings also say how many of its rows they concern. A tree is audited by its rules. Up to `most` pairs
    and gaps are listed of each kind. The questions are hard ones for some lists: `budget` bounds the work,
    and what it leaves open is listed in `unsettled`; all that is reported is certain.

    >>> from clearwood import Nominal, Numeric, Schema
    >>> from clearwood.models.rule_reading import parse_rules
    >>> wind, humidity = Nominal("Wind", ("Weak", "Strong")), Numeric("Humidity")
    >>> schema = Schema((wind, humidity), Nominal("Play", ("Yes", "No")))
    >>> findings = audit(parse_rules("IF Wind = Weak THEN Yes\\nIF Humidity > 75 THEN No", schema))
    >>> findings.conflicts
    (Pair(first=1, second=2, example={'Wind': 'Weak', 'Humidity': 76.0}, decides=True, rows=None),)
    >>> print(findings.gaps[0].region)
    (Wind = Strong or never met or missing) AND (Humidity ≤ 75 or missing)
    """
    check_kind("audit", rules, RuleList, Tree)
    if most < 0 or budget < 0:
        raise SettingError("most and budget must be 0 or more.")
    if isinstance(rules, Tree):
        rules = rules_of(rules)
    work = work_for(rules, budget)
    weights = None if table is None else row_weights(rules, work.space, table)
    tried = None if rules.matching == "vote" else try_rows(work.space, work.answers, work.otherwise)
    gaps, more_gaps = gaps_of(work, most, weights)
    dead = () if tried is None else dead_rules(work, tried)
    redundant = () if tried is None else redundant_rules(work, tried, {each.rule - 1 for each in dead})
    pairs = pairs_of(work, most, weights, vote=tried is None)
    then = rules.otherwise.then
    return Audit(
        rules=len(rules),
        matching=rules.matching,
        impossible=tuple(_impossible(rules, work)),
        dead=dead,
        redundant=redundant,
        conflicts=pairs.conflicts,
        conflicts_in_all=pairs.conflicts_in_all,
        decided_by_order=pairs.decided_by_order,
        overlaps=pairs.overlaps,
        overlaps_in_all=pairs.overlaps_in_all,
        gaps=gaps,
        more_gaps=more_gaps,
        uncovered=None if weights is None else weights.uncovered,
        weight=None if weights is None else weights.all,
        otherwise="" if then is None else then if isinstance(then, str) else number(then),
        unsettled=tuple(work.unsettled),
    )


def _impossible(rules: RuleList, work: Work) -> Iterator[Impossible]:
    """The rules that no row satisfies, each with the conditions that shut each other out."""
    for place, (rule, box) in enumerate(zip(rules, work.boxes, strict=True)):
        if box is None:
            column = next(c for c, takes in enumerate(work.space.takes) if not takes[:, place].any())
            name = work.space.axes[column].name
            conditions = [str(condition) for condition in rule.when if condition.name == name]
            yield Impossible(place + 1, f"no cell satisfies {' AND '.join(conditions)}")
