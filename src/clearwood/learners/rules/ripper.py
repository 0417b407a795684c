"""RIPPER: short ordered rules, grown on some rows, pruned on others, weighed by description length."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from clearwood import _native
from clearwood.bounds import Least, Whole
from clearwood.counting.coding import CodedColumns, Coding, on_ladders
from clearwood.learners.rules.costs_of_mistakes import classes_at_cost
from clearwood.learners.rules.covering import Steps
from clearwood.learners.rules.ripper_search import RipperSearch, RipperStep, condition_of, search_of, steps_of
from clearwood.learners.training import native_settings, origin_of, usable_rows
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.tree import merged_conditions
from clearwood.models.lineage import Origin
from clearwood.registry import CheckedSettings, Costs, Letter, OnlyWith
from clearwood.table.folding import in_order_of_content
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class RIPPER(CheckedSettings):
    """Rules for the rarest class first, then for the next; the most common class is the default.

    W. W. Cohen, "Fast effective rule induction" (1995); the settings are those of WEKA's JRip
    (-F 3 -N 2.0 -O 2 -S 1). Of equally common classes the last by name comes first, so that of no and yes the
    rules predict yes. For each class against the commoner ones:

    *Covering.* Of the rows of the class one in `folds`, at random by `seed`, is held back, and of the other
    rows likewise; what is in the rows decides which, not where they stand. On the rest a rule is grown: the
    condition `a = value`, `a ≤ limit` or `a > limit`
    with the largest gain is added, again and again. The gain is FOIL's with one row of the class added,
    p·(log2 (p+1)/(p+n+1) − log2 (P+1)/(P+N+1)), where the condition takes p of the P rows of the class and n
    of the N others. Growing ends when no row of another class is left, nothing gains, or the best condition
    takes less than `min_rows` of the class. Then the last conditions are cut off at the length with the
    largest (p+1)/(p+n+2) on the rows held back, the shortest of equals (Cohen's is (p−n)/(p+n)). Covered
    rows leave, and the next rule is grown, until the class has no rows left, pruning leaves no condition, at
    least half of the rows a rule takes are wrong (`check_error`), or the description has become 64 bits
    longer than the shortest so far.

    *Deleting.* From the last rule to the first, each is dropped that does not make the description shorter.
    Its length is half the bits that name the rules' conditions among all possible ones, and the bits that
    name the rows in error. Of the errors, the class's share is expected among the rows the rules take: the
    rarer the class, the dearer a row taken wrongly.

    *Optimising*, `optimizations` times: for each rule a revision is grown from the rule itself and a
    replacement from nothing, both pruned so that the whole list errs least on the rows held back; the one of
    the three that gives the shortest description stays (of equals the rule, then the revision). Then the
    rows left are covered again.

    With `prune=False` rules are grown on all rows and neither pruned, deleted nor optimised.

    With `costs` a row weighs what mistakes about its class cost while rules are searched; they print the rows
    as they are, and answer the class of least expected cost.

    An empty cell satisfies no condition. An ordered attribute is tested value by value. Weights count
    everywhere, but a row is held back as a whole: a row of weight 2 is not quite two rows.

    *Beside JRip.* Run on made-up tables, JRip grew the same unpruned rules, and mostly kept the same ones,
    with these differences. A limit here lies midway between two values; JRip takes the values themselves.
    JRip may also ask whether a number is known at all, by a limit below all of them. It draws lots for equal
    classes (on monks_1 that decides between an accuracy of 61 % and 100 %). With `optimizations=0` it deletes
    nothing, and it may keep a rule whose rows later rules take as well: on adult it has 18 rules, not 8, and
    is right on 84.7 % instead of 84.4 %.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> rules, steps = RIPPER(seed=2).learn_with_steps(table)
    >>> for rule in rules:
    ...     print(rule)
    IF Outlook = Sunny AND Humidity > 77.5 THEN Don't Play
    IF Outlook = Rain AND Wind = Strong THEN Don't Play
    >>> rules.otherwise.then
    'Play'
    >>> print(steps.steps[1])
    Don't Play, round 0, rule 2: added (19.09 → 21.43 bits)
      new: Outlook = Rain (gain 1.356) AND Wind = Strong (gain 1.474)
    """

    learns_numbers: ClassVar[bool] = False

    folds: Annotated[
        int,
        Whole(2),
        OnlyWith("prune", (True,), at_the_shell=True),
        "One row in this many is held out for pruning.",
    ] = 3
    min_rows: Annotated[
        float, Least(0), Letter("min_rows"), "Least weight of rows of the class that a condition must keep."
    ] = 2
    optimizations: Annotated[
        int,
        Whole(0),
        Letter("optimizations"),
        OnlyWith("prune", (True,), at_the_shell=True),
        "How often every rule is compared with two new ones.",
    ] = 2
    prune: Annotated[bool, "Shorten rules on held-out rows, delete and improve them; no: only grow them."] = (
        True
    )
    check_error: Annotated[bool, "Stop with a class when a rule is wrong on half of the rows it covers."] = (
        True
    )
    seed: Annotated[int, Whole(0), "The seed of random choices."] = 1
    costs: Costs = None

    @classes_at_cost
    def learn(self, table: Table) -> RuleList:
        rows = in_order_of_content(usable_rows(self, table))
        coded = on_ladders(rows)
        return searched_rules(origin_of(self, table), rows, coded.coding, search(self, rows, coded))

    @classes_at_cost
    def learn_with_steps(self, table: Table) -> tuple[RuleList, Steps[RipperStep]]:
        """The same rules, and every decision on the way to them."""
        rows = in_order_of_content(usable_rows(self, table))
        coded = on_ladders(rows)
        learned = search(self, rows, coded, steps=True)
        rules = searched_rules(origin_of(self, table), rows, coded.coding, learned)
        return rules, steps_of(learned, coded.coding, rows.schema.classes)


def search(learner: RIPPER, rows: Table, coded: CodedColumns, *, steps: bool = False) -> RipperSearch:
    """The native search on rows that all have weight and a class."""
    names = ("folds", "min_rows", "optimizations", "prune", "check_error", "seed")
    settings, classes = native_settings(learner, *names), len(rows.schema.classes)
    return search_of(
        _native.ripper(coded.native(), classes, rows.target, rows.weights, steps=steps, **settings)
    )


def searched_rules(origin: Origin, rows: Table, coding: Coding, learned: RipperSearch) -> RuleList:
    """The learned rules in the schema's terms, each with the rows it is the first to take."""
    classes = rows.schema.classes
    cells = (learned.taken + 1) * len(classes) + rows.target
    counts = np.bincount(cells, rows.weights, (len(learned.rules) + 1) * len(classes)).astype(np.float64)
    left, *taken = (tuple(each) for each in counts.reshape(-1, len(classes)).tolist())
    rules = tuple(
        Rule(merged_conditions([condition_of(test, coding) for test in tests]), classes[code], count)
        for (code, tests), count in zip(learned.rules, taken, strict=True)
    )
    otherwise = Otherwise(classes[learned.otherwise], left)
    return RuleList(rows.schema, rules, otherwise, origin=origin)
