"""From a model to its decision table, or the reason why it has none."""

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple, TypeGuard

import numpy as np

from clearwood.errors import SettingError
from clearwood.explaining.scorecard import Scorecard
from clearwood.exporting.exportable import Exportable, export_in_words, inputs_of
from clearwood.exporting.tables.lines import DecisionRow, DecisionTable, HitPolicy
from clearwood.exporting.tables.sum_reading import AddsUp
from clearwood.exporting.tables.sum_table import MOST_LINES, sum_table
from clearwood.formulas.conditions import Condition, interval, never_holds, one_of
from clearwood.models.decision import adjusted, decided
from clearwood.models.kinds.rules.rule_list import Rule
from clearwood.models.kinds.rules.rules_program import first_answers, rule_texts
from clearwood.models.kinds.tree.nodes import weight_of
from clearwood.models.kinds.tree.tree import merged_conditions, node_shares, node_values
from clearwood.models.kinds.tree.tree_program import leaf_texts
from clearwood.models.model import AdditiveModel, LinearModel, RuleList, Tree
from clearwood.models.routing import route_at
from clearwood.models.space.axes import Domains
from clearwood.models.space.input_space import InputSpace, input_space_of
from clearwood.models.space.walk import SplitSteps, WaysOn, with_groups
from clearwood.table.attributes import Numeric


def decision_table(model: Exportable) -> DecisionTable:
    """The decision table of a tree, or of rules of which the first that holds answers.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> made = decision_table(cw.CART().learn(table))
    >>> [str(each) for each in made.rows[0].when.values()], made.rows[0].answer
    (['Outlook = Overcast'], 'Yes')
    """
    made = _table_or_reason(model)
    if isinstance(made, str):
        raise SettingError(made)
    return made


def refused_by_tables(model: Exportable) -> str | None:
    """Why neither a decision table nor a table of sums says what it does; None: one of them does."""
    return _refused_as_sum(model) if adds_up(model) else refused_by_table(model)


def _refused_as_sum(model: AddsUp) -> str | None:
    if model.decision.adjusts:
        return (
            "This model's calibration or prevalence changes its probabilities after all is added up, which "
            "is no sum. Export it to excel, python or another language."
        )
    lines = len(sum_table(model).rows)
    if lines <= MOST_LINES:
        return None
    return (
        f"A table of this model would have {lines:,} lines. Make a scorecard of it, scorecard(model), or "
        "export it to excel, python or another language."
    )


def adds_up(model: Exportable) -> TypeGuard[AddsUp]:
    """Is its answer a sum of what its cells add?"""
    return isinstance(model, LinearModel | AdditiveModel | Scorecard)


def refused_by_table(model: Exportable) -> str | None:
    """Why no decision table says what this model does; None: one does."""
    made = _table_or_reason(model)
    return made if isinstance(made, str) else None


def _table_or_reason(model: Exportable) -> DecisionTable | str:
    if isinstance(model, RuleList):
        if model.matching == "first":
            return table_of_rules(model)
        return (
            "These rules vote, and a decision table has one row that decides. "
            "Export them to excel, python or another language."
        )
    if isinstance(model, Tree):
        if (made := table_of_tree(model)) is not None:
            return made
        return (
            f"This tree of {model.leaves:,} leaves sends rows with missing cells so many ways (down several "
            "branches at once, or by surrogates) that its decision table would have thousands of rows. "
            "Prune it, learn it with another `missing` or without surrogates, or export it to excel, "
            "python or another language."
        )
    if adds_up(model):
        return (
            f"A decision table holds a tree or rules, but this is {export_in_words(model)}, which adds up. "
            "Export it to markdown or csv, which hold its lines, or to excel, python or another language."
        )
    return (
        f"Tables hold trees, rules, scorecards and models of one sum, but this is {export_in_words(model)}. "
        "Export it to excel, python or another language."
    )


# Rules as a decision table: one row per rule, and a last one for what is said otherwise.


def table_of_rules(rules: RuleList) -> DecisionTable:
    """The table of rules of which the first that holds answers. Rules that cannot hold are left out."""
    if rules.is_numeric:
        answers: list[str | float | None] = [
            None if each.then is None else float(each.then) for each in rules.entries
        ]
        shares: list[list[float]] = [[] for _ in rules.entries]
    else:
        codes, shares = first_answers(rules)
        answers = [None if code < 0 else rules.schema.classes[int(code)] for code in codes]
    rows = []
    for entry, answer, share, reason in zip(rules.entries, answers, shares, rule_texts(rules), strict=True):
        when = merged_conditions(list(entry.when)) if isinstance(entry, Rule) else ()
        if not any(map(never_holds, when)):
            weight = rules.weight(entry)
            known = None if math.isnan(weight) else weight
            asked = {each.name: each for each in when}
            rows.append(DecisionRow(asked, frozenset(), answer, tuple(share), known, reason))
    return DecisionTable(rules, inputs_of(rules), tuple(rows), "first")


# A tree as a decision table: a row for each way that a row can go, missing cells and all.
#
# A split asks in order, so its branches become rows in that order; then its surrogates; then what is left.
# Where a row is divided among branches, what can happen below each of them is combined: the answer is mixed
# from all the leaves that are reached. Such ways multiply, so a table may become too long to be written.


MOST_MIXED: Final = 2000  # rows beyond the leaves: more of them nobody reads


class _Ways(NamedTuple):
    """Where the rows of a box may still go: nodes with the part of each row, and leaves that they came to."""

    box: Domains
    open: WaysOn
    leaves: WaysOn = ()


def table_of_tree(tree: Tree) -> DecisionTable | None:
    """The table of a tree; None: it would be too long."""
    space, leaves = input_space_of([tree]), np.flatnonzero(tree.nodes.is_leaf).tolist()
    most = MOST_MIXED + len(leaves)
    ways = list(islice(_ways(tree, space), most + 1))
    if len(ways) > most:
        return None
    reasons = dict(zip(leaves, leaf_texts(tree), strict=True))
    weights = [weight_of(each, numeric=tree.is_numeric) for each in tree.nodes.counts.tolist()]
    rows = []
    for way, answer, shares in zip(ways, *_answered(tree, ways), strict=True):
        when, rest = _asked(way.box, space)
        only = way.leaves[0][0] if len(way.leaves) == 1 else None
        known = (None, None) if only is None else (weights[only], reasons[only])
        rows.append(DecisionRow(when, rest, answer, tuple(shares), *known))
    policy: HitPolicy = "first" if any(row.rest for row in rows) else "unique"
    return DecisionTable(tree, inputs_of(tree), tuple(rows), policy)


def _ways(tree: Tree, space: InputSpace) -> Iterator[_Ways]:
    """Every way through the tree, in the order of asking."""
    steps, known = space.steps(tree), space.known()
    last: dict[int, bool] = {}
    stack = [_Ways(space.everywhere(), ((0, 1.0),))]
    while stack:
        now = stack.pop()
        if not now.open:
            yield now
            continue
        (node, part), *later = now.open
        if steps.is_leaf[node]:
            stack.append(_Ways(now.box, tuple(later), (*now.leaves, (node, part))))
            continue
        if node not in last:
            surrogates = any(test.way.because != "cell" for test in route_at(tree, node).tests)
            last[node] = not surrogates and _takes_the_rest(steps.at(node), space, known)
        parts = list(steps.parts(node, now.box))
        if last[node]:
            parts = _joined(parts, steps.at(node))
        stack += [
            _Ways(box, (*((child, part * share) for child, share in on), *later), now.leaves)
            for box, on in reversed(parts)
        ]


def _takes_the_rest(split: SplitSteps, space: InputSpace, known: Domains) -> bool:
    """Does the branch that takes what is left ask a test that can be asked with that as one, at last?"""
    own = [test for test in split.tests if test.ways == split.rest]
    if len(own) != 1:
        return False
    column, groups, _ = own[0]
    of_values = groups & known[column]
    others = 0
    for test in split.tests:
        others |= 0 if test is own[0] else test.groups
    if isinstance(space.axes[column].attribute, Numeric):
        left = known[column] & ~(groups | others)
        return bool(of_values) and not left | others & (groups | ~known[column])
    return bool(of_values) and not others & of_values


def _joined(parts: list[tuple[Domains, WaysOn]], split: SplitSteps) -> list[tuple[Domains, WaysOn]]:
    """The rows of that branch and those that are left as one part, behind the others."""
    column = split.tests[0].column
    together = [box for box, on in parts if on == split.rest]
    groups = 0
    for box in together:
        groups |= box[column]
    others = [each for each in parts if each[1] != split.rest]
    return [*others, *((with_groups(box, column, groups), split.rest) for box in together[:1])]


def _asked(box: Domains, space: InputSpace) -> tuple[dict[str, Condition], frozenset[str]]:
    """The conditions of a box, and the attributes of which only the rows above say more: an unseen value is
    taken too, but not any, or numbers of several intervals."""
    when: dict[str, Condition] = {}
    rest: list[str] = []
    for axis, groups in zip(space.axes, box, strict=True):
        if groups == axis.everything:
            continue
        inside = axis.cells_in(groups)
        if isinstance(axis.attribute, Numeric):
            intervals = axis.intervals(inside)
            low, high = (intervals[0][0], intervals[-1][1]) if intervals else (math.inf, -math.inf)
            when[axis.name] = interval(axis.name, low, high, inside[-1])
            rest += [axis.name] * (len(intervals) > 1)
        elif inside[axis.known]:
            rest.append(axis.name)
        else:
            values = tuple(
                str(value) for value, here in zip(axis.cells, inside[: axis.known], strict=False) if here
            )
            when[axis.name] = one_of(axis.name, values, inside[-1])
    return when, frozenset(rest)


def _answered(tree: Tree, ways: Sequence[_Ways]) -> tuple[list[str | float | None], list[list[float]]]:
    """The answer and the shares of each way.

    Parts are added from leaf to leaf, as in prediction: where two classes are level, the last digit decides.
    """
    figures = node_values(tree)[:, None] if tree.is_numeric else node_shares(tree)
    mixed = np.zeros((len(ways), figures.shape[1]))
    for place, way in enumerate(ways):
        for leaf, part in sorted(way.leaves):
            mixed[place] += part * figures[leaf]
    if tree.is_numeric:
        return mixed[:, 0].tolist(), [[] for _ in ways]
    shown = adjusted(mixed, tree.decision)
    classes = tree.schema.classes
    codes = decided(shown, tree.decision, classes)
    return [None if code < 0 else classes[code] for code in codes], shown.tolist()
