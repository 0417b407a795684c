"""A PMML tree as rules, where a tree here cannot say it: the first rule that holds answers, and where PMML
gives no prediction, neither do the rules."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar, assert_never

from clearwood.counting.question import Takes, condition
from clearwood.errors import ModelFileError
from clearwood.formulas.conditions import Condition, IsMissing, never_holds
from clearwood.importing.pmml.predicates import Always, AskedColumn, FirstKnown, Predicate, Together
from clearwood.importing.pmml.tree_nodes import PmmlAnswer, PmmlNode, PmmlTree
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.tree import merged_conditions
from clearwood.models.lineage import Origin
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema

T = TypeVar("T")
RuleWay: TypeAlias = tuple[Condition, ...]  # conditions that all hold
_MOST_RULES: Final = 100_000
_DEEPEST: Final = 400
_COMPARED: Final = 3_000  # rules, each with each


def as_rules(tree: PmmlTree, schema: Schema, origin: Origin) -> RuleList:
    """The rules of the leaves in order, each with the conditions on the way there."""
    if tree.missing == "aggregateNodes":
        return _as_votes(tree, schema, origin)
    if tree.missing == "weightedConfidence":
        raise ModelFileError(
            "missingValueStrategy 'weightedConfidence' divides rows here among children that ask several "
            "columns, or some of the children only; neither a tree nor rules here can say that."
        )
    writer = _Writer(tree, schema, [])
    writer.write(tree.root, ((),), 0)
    return RuleList(schema, _needed(writer.rules), Otherwise(None), origin=origin)


def ways_of(predicate: Predicate, schema: Schema) -> list[RuleWay]:
    """The ways in which a predicate can hold; an empty cell satisfies what is said of empty cells only.

    A value that is in no list satisfies no condition here: of a column in which PMML would take it for one
    that differs from those named, such a predicate is refused.
    """
    match predicate:
        case Always(holds):
            return [()] if holds else []
        case AskedColumn(column, cells, knows_unseen):
            # No condition holds for such a value, not even one that says "or missing".
            if cells.unseen is True and (knows_unseen or cells.missing is not True):
                _refuse_unseen(column)
            pieces = cells.pieces
            if cells.missing is True:
                pieces += cells.empty.pieces
                pieces = (
                    [replace(pieces[0], or_missing=True), *pieces[1:]] if pieces else [Takes(or_missing=True)]
                )
            return [(_condition(schema, column, piece),) for piece in pieces]
        case Together(parts, all_of):
            each = [ways_of(part, schema) for part in parts]
            if not all_of:
                return [way for ways in each for way in ways]
            joined: list[RuleWay] = [()]
            for ways in each:
                joined = _bounded([(*one, *other) for one in joined for other in ways])
            return joined
        case FirstKnown(parts):
            joined = []
            unknown: RuleWay = ()
            for part in parts:
                joined += [(*unknown, *way) for way in ways_of(part, schema)]
                if isinstance(part, Always):
                    break
                unknown = (*unknown, _unknown(part))
            return joined
        case _:
            assert_never(predicate)


def _refuse_unseen(column: str) -> None:
    raise ModelFileError(
        f"A predicate holds, or is unknown, for values of '{column}' that are in no list "
        "(invalidValueTreatment 'asIs' or 'asMissing'), which no condition of a rule here does."
    )


def _refuse_empty(asked: AskedColumn) -> None:
    if asked.cells.empty:
        raise ModelFileError(
            f"Cells of '{asked.column}' count as empty, and a predicate is then unknown, which no condition "
            "of a rule here can say. Let the document replace empty cells (missingValueReplacement)."
        )


def _unknown(predicate: Predicate) -> Condition:
    """When a predicate is unknown: where its cell is empty."""
    if isinstance(predicate, AskedColumn) and predicate.cells.missing is None:
        _refuse_empty(predicate)
        if predicate.knows_unseen and predicate.cells.unseen is None:
            _refuse_unseen(predicate.column)
        return IsMissing(predicate.column)
    raise ModelFileError("A predicate of several columns, of which it must be asked whether it is unknown.")


def _condition(schema: Schema, column: str, takes: Takes) -> Condition:
    attribute = schema[column]
    if isinstance(attribute, Numeric) and not takes.codes and takes.low == math.inf:
        return IsMissing(column)
    return condition(attribute, takes)


def _bounded(ways: list[T]) -> list[T]:
    if len(ways) > _MOST_RULES:
        raise ModelFileError(f"The predicates would come to more than {_MOST_RULES:,} rules.")
    return ways


@dataclass
class _Writer:
    """Writes the rules of a node and of those below, from the root down."""

    tree: PmmlTree
    schema: Schema
    rules: list[Rule]

    def write(self, node: PmmlNode, ways: Sequence[RuleWay], depth: int) -> None:
        """The rules of rows that reach a node by one of these ways."""
        if depth > _DEEPEST:
            raise ModelFileError(f"The tree is deeper than {_DEEPEST}, which no rules can be read from.")
        for child in node.below:
            self._unknown(node, child, ways, depth)
            own = ways_of(child.predicate, self.schema)
            reached = _bounded([(*way, *more) for way in ways for more in own])
            self.write(child, _possible(reached), depth + 1)
        if not node.below or self.tree.returns_last:
            self._answer(node.answer, ways)
        else:
            self._answer(None, ways)

    def _unknown(self, node: PmmlNode, child: PmmlNode, ways: Sequence[RuleWay], depth: int) -> None:
        """What happens before a child whose predicate is unknown, if not nothing."""
        if self.tree.missing == "none" or isinstance(child.predicate, Always):
            return
        if isinstance(child.predicate, AskedColumn) and child.predicate.cells.missing is not None:
            return
        if isinstance(child.predicate, FirstKnown):
            empty = tuple(_unknown(part) for part in child.predicate.parts if not isinstance(part, Always))
            if any(isinstance(part, Always) for part in child.predicate.parts):
                return
        else:
            empty = (_unknown(child.predicate),)
        reached = _possible([(*way, *empty) for way in ways])
        match self.tree.missing:
            case "nullPrediction":
                self._answer(None, reached)
            case "lastPrediction":
                self._answer(node.answer, reached)
            case "defaultChild":
                if node.default is None:
                    self._answer(None, reached)
                elif reached:
                    self.write(node.below[node.default], reached, depth + 1)

    def _answer(self, answer: PmmlAnswer | None, ways: Sequence[RuleWay]) -> None:
        _bounded(self.rules)
        for way in ways:
            when = merged_conditions(list(way))
            if answer is None:
                self.rules.append(Rule(when, None))
            else:
                self.rules.append(Rule(when, answer.then, answer.counts))


def _needed(rules: list[Rule]) -> tuple[Rule, ...]:
    """The rules without those that refer rows which no later rule would take."""
    if len(rules) > _COMPARED:
        return tuple(rules)
    kept: list[Rule] = []
    for rule in reversed(rules):
        if rule.then is not None or any(later.then is not None and _overlap(rule, later) for later in kept):
            kept.append(rule)
    return tuple(reversed(kept))


def _overlap(one: Rule, other: Rule) -> bool:
    return not any(map(never_holds, merged_conditions([*one.when, *other.when])))


def _possible(ways: Sequence[RuleWay]) -> list[RuleWay]:
    """The ways that some row can go, each condition said once."""
    merged = [merged_conditions(list(way)) for way in ways]
    return [way for way in merged if not any(map(never_holds, way))]


def _as_votes(tree: PmmlTree, schema: Schema, origin: Origin) -> RuleList:
    """Every leaf that a row may reach adds its counts: rules that vote, and hold for empty cells as well."""
    if isinstance(schema.target, Numeric):
        raise ModelFileError(
            "missingValueStrategy 'aggregateNodes' of a number cannot be said by rules here."
        )
    if tree.returns_last:
        raise ModelFileError("aggregateNodes with returnLastPrediction cannot be said by rules here.")
    rules: list[Rule] = []
    waiting: list[tuple[PmmlNode, list[RuleWay]]] = [(tree.root, [()])]
    while waiting:
        node, ways = waiting.pop()
        for child in reversed(node.below):
            reached = [(*way, *more) for way in ways for more in _or_empty(child.predicate, schema)]
            waiting.append((child, _possible(_bounded(reached))))
        if node.below:
            continue
        answer = node.answer
        if answer is None or schema.classes[answer.counts.index(max(answer.counts))] != answer.then:
            raise ModelFileError("A leaf predicts another class than that of most of its rows: votes cannot.")
        rules += [Rule(merged_conditions(list(way)), answer.then, answer.counts) for way in ways]
    return RuleList(schema, tuple(rules), Otherwise(None), "vote", origin=origin)


def _or_empty(predicate: Predicate, schema: Schema) -> list[RuleWay]:
    """The ways in which a predicate of one column holds, or is unknown."""
    if not isinstance(predicate, AskedColumn):
        raise ModelFileError("aggregateNodes is read where each child asks one column.")
    _refuse_empty(predicate)
    attribute = schema[predicate.column]
    pieces = predicate.cells.pieces
    if len(pieces) != 1 or not isinstance(attribute, Nominal | Ordinal | Numeric):
        raise ModelFileError("aggregateNodes is read where each child asks for one interval or set.")
    if predicate.knows_unseen and predicate.cells.unseen is not False:
        _refuse_unseen(predicate.column)
    if predicate.cells.missing is False:
        return [(_condition(schema, predicate.column, pieces[0]),)]
    return [(_condition(schema, predicate.column, replace(pieces[0], or_missing=True)),)]
