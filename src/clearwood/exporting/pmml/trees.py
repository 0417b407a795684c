"""Trees and rule lists as PMML's own TreeModel, where it says the same.

That is so where a row always comes to one leaf or rule, which has an answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood.exporting.pmml.document import (
    PmmlFrame,
    XmlElement,
    element,
    output_field,
    share_outputs,
    unless_empty,
)
from clearwood.exporting.pmml.expressions import SIGNS, number_text
from clearwood.formulas.conditions import (
    Condition,
    LimitSign,
    OnNumbers,
    comparisons,
    exclude_each_other,
    takes_missing,
    values_of,
)
from clearwood.formulas.expressions import Lookup
from clearwood.models.kinds.tree.tree_program import TreeRoute
from clearwood.models.model import RuleList, Tree
from clearwood.models.program.program import ModelProgram
from clearwood.models.routing import route_at


def tree_model(model: Tree | RuleList, frame: PmmlFrame) -> XmlElement | None:
    """The model as a TreeModel; None where that would not say the same."""
    regions = _regions(frame.program)
    if regions is None:
        return None
    if isinstance(model, Tree):
        root = tree_nodes(model, regions)
        names = np.flatnonzero(model.nodes.is_leaf).tolist()
    else:
        root, names = rule_nodes(model, regions), list(range(1, len(model.entries) + 1))
    if root is None:
        return None
    texts = zip(map(str, names), frame.program.regions, strict=True)
    outputs = [
        *share_outputs(frame),
        output_field(frame.leaf, "entityId", is_text=True),
        reason_output(frame.reason, frame.leaf, texts),
    ]
    return tree_element(frame.schema(), root, outputs, frame.function)


def tree_element(
    schema: XmlElement, root: XmlElement, outputs: Sequence[XmlElement], function: str
) -> XmlElement:
    """A TreeModel in which an empty cell satisfies no predicate but one that asks for it."""
    return element(
        "TreeModel",
        schema,
        *unless_empty("Output", outputs),
        root,
        functionName=function,
        missingValueStrategy="none",
        noTrueChildStrategy="returnNullPrediction",
        splitCharacteristic="multiSplit",
    )


def _regions(program: ModelProgram) -> RegionAnswers | None:
    """What is looked up by the place of the leaf or rule; None: more is worked out, or one has no answer."""
    formulas = {step.name: step.value for step in program.steps}
    looked_up = [formulas[name] for name in (program.answer, *program.shares)]
    tables = [each.values for each in looked_up if isinstance(each, Lookup) and each.at == program.region]
    if len(tables) < len(looked_up):
        return None
    silent = any(each < 0 for each in tables[0]) if program.classes else any(map(math.isnan, tables[0]))
    return None if silent else RegionAnswers(tables[0], program.classes, tables[1:])


# Nodes of PMML's TreeModel: of a tree, and of a list of rules, which are the branches of one level.
#
# Children are asked in order, and the last takes what is left.


@dataclass(frozen=True, slots=True)
class RegionAnswers:
    """By the place of each leaf or rule: its class's place in `classes`, or its number.

    `shares` are [class][place]; a model that is asked for its class alone has none.
    """

    answers: Sequence[float]
    classes: tuple[str, ...] = ()
    shares: Sequence[Sequence[float]] = ()


def tree_nodes(tree: Tree, regions: RegionAnswers) -> XmlElement | None:
    """The root of a tree, children made before their parents; None where rows are divided among leaves."""
    made: dict[int, XmlElement] = {}
    leaves = tree.nodes.is_leaf.tolist()
    place = len(regions.answers)
    for node in range(len(tree.nodes) - 1, -1, -1):
        if leaves[node]:
            place -= 1
            counts = [] if tree.is_numeric else tree.nodes.counts[node].tolist()
            made[node] = _answering(f"{node}", ALWAYS, place, counts, regions)
            continue
        route = route_at(tree, node)
        if len(route.rest) != 1:
            return None
        children = tree.nodes.children(node)
        last = route.rest[0].branch
        below = []
        for branch, child in enumerate(children):
            if branch != last:
                node_below = made.pop(child)
                below.append(replace(node_below, within=(_to_branch(route, branch), *node_below.within[1:])))
        made[node] = element("Node", ALWAYS, *below, made.pop(children[last]), id=str(node))
    return made[0]


def rule_nodes(rules: RuleList, regions: RegionAnswers) -> XmlElement:
    """The root of a list of rules, which are the branches of one level, asked in order."""
    asked = [_all_of([_predicate(each) for each in rule.when]) for rule in rules]
    below = [
        _answering(f"{place + 1}", when, place, entry.counts, regions)
        for place, (when, entry) in enumerate(zip([*asked, ALWAYS], rules.entries, strict=True))
    ]
    return element("Node", ALWAYS, *below, id="0")


def _to_branch(route: TreeRoute, branch: int) -> XmlElement:
    """True for rows of this branch: one of its tests holds, and no earlier test of another."""
    ways = []
    earlier: list[Condition] = []
    for test in route.tests:
        if test.way.branch == branch:
            failed = [_negation(each) for each in earlier if not exclude_each_other(each, test.when)]
            ways.append(_all_of([_predicate(test.when), *failed]))
        else:
            earlier.append(test.when)
    return _any_of(ways)


def _answering(
    name: str, asked: XmlElement, place: int, counts: Sequence[float], regions: RegionAnswers
) -> XmlElement:
    """A node that answers; the rows it was learned from are counted, where they are known."""
    answer, classes = regions.answers[place], regions.classes
    if not classes:
        return element("Node", asked, id=name, score=number_text(answer))
    known = counts if len(counts) == len(classes) else [0.0] * len(classes)
    shares = [
        element(
            "ScoreDistribution",
            value=label,
            recordCount=number_text(count),
            probability=number_text(column[place]),
        )
        for label, count, column in zip(classes, known, regions.shares, strict=False)
    ]
    return element("Node", asked, *shares, id=name, score=classes[int(answer)])


# Conditions as PMML's predicates, and their negations.
#
# A predicate on an empty cell is unknown, which a tree takes as not satisfied; joined by `or` with "is
# missing" it is true.


_OPPOSITE: Final[Mapping[LimitSign, LimitSign]] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
ALWAYS: Final = XmlElement("True")
_NEVER: Final = XmlElement("False")
_PLAIN: Final = re.compile(r"\w[\w .,:;%/+-]*")  # what all readers of arrays take apart alike, in quotes


def _predicate(condition: Condition) -> XmlElement:
    """True where the condition holds, else false or unknown."""
    name, values = condition.name, sorted(values_of(condition))
    empty = [_simple(name, "isMissing")] if takes_missing(condition) else []
    if isinstance(condition, OnNumbers):
        limits = [_compared(name, sign, limit) for sign, limit in comparisons(condition)]
        return _any_of([_all_of(limits), *empty])
    if len(values) > 1 and all(_PLAIN.fullmatch(each) for each in values):
        quoted = " ".join(f'"{each}"' for each in values)
        listed = element("Array", text=quoted, n=str(len(values)), type="string")
        return _any_of([element("SimpleSetPredicate", listed, field=name, booleanOperator="isIn"), *empty])
    return _any_of([*(_simple(name, "equal", each) for each in values), *empty])


def _negation(condition: Condition) -> XmlElement:
    """True where the condition does not hold."""
    name = condition.name
    empty = [] if takes_missing(condition) else [_simple(name, "isMissing")]
    if isinstance(condition, OnNumbers):
        beyond = [_compared(name, _OPPOSITE[sign], limit) for sign, limit in comparisons(condition)]
        return _any_of([*beyond, *empty])
    others = [_simple(name, "notEqual", each) for each in sorted(values_of(condition))]
    return _any_of([_all_of(others or [_simple(name, "isNotMissing")]), *empty])


def _all_of(parts: Sequence[XmlElement]) -> XmlElement:
    return _compound("and", [each for each in parts if each != ALWAYS], ALWAYS)


def _any_of(parts: Sequence[XmlElement]) -> XmlElement:
    return _compound("or", [each for each in parts if each != _NEVER], _NEVER)


def _compound(operator: str, parts: Sequence[XmlElement], empty: XmlElement) -> XmlElement:
    if len(parts) < 2:
        return parts[0] if parts else empty
    return element("CompoundPredicate", *parts, booleanOperator=operator)


def _compared(name: str, sign: LimitSign, limit: float) -> XmlElement:
    if math.isinf(limit):
        return _simple(name, "isNotMissing") if (limit > 0) == sign.startswith("<") else _NEVER
    return _simple(name, SIGNS[sign], number_text(limit))


def _simple(name: str, operator: str, value: str | None = None) -> XmlElement:
    return element("SimplePredicate", field=name, operator=operator, value=value)


# The output with the reason: the text of the leaf or rule that answered, looked up by its place or name.


def reason_output(name: str, by: str, texts: Iterable[tuple[str, str]]) -> XmlElement:
    """An output field by another field, `by`; `texts` are its values, each with the reason."""
    rows = (element("row", element("at", text=value), element("reason", text=text)) for value, text in texts)
    pair, table = element("FieldColumnPair", field=by, column="at"), element("InlineTable", *rows)
    looked_up = element("MapValues", pair, table, outputColumn="reason", dataType="string")
    return output_field(name, "transformedValue", looked_up, is_text=True)
