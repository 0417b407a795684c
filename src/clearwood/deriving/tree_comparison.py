"""Side by side: one table through several tree learners, and the numbers that made them part."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

import numpy as np

from clearwood.catalogue import compared_by_default, entry_of, trees
from clearwood.counting.engine import Frontier
from clearwood.counting.in_memory import InMemory, engine_in_memory, rows_here
from clearwood.deriving.deriving import derive
from clearwood.deriving.trees.growth import question_at
from clearwood.errors import ClearwoodWarning, SettingError
from clearwood.formulas.conditions import Condition
from clearwood.learners.learner import TreeLearner
from clearwood.learners.trees.chaid import CHAID, SURVEY, minimums_for
from clearwood.models.kinds.tree.tree import Tree, node_codes, path_to
from clearwood.records import json_with, plain_values
from clearwood.scoring.costs import ExpectedCost, Matrix, expected_cost
from clearwood.shown import ShowsItself
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table
from clearwood.words.numbers import exact_row_count, with_and
from clearwood.working.derivation import BecameSplit, Derivation
from clearwood.working.figures import Rows


@dataclass(frozen=True, slots=True)
class Choice:
    """What a learner did at the place: the branches it made (none: a leaf), why, and what it scored.

    `scores` are by attribute, then by score; None where the learner gave none.
    """

    node: int
    asks: tuple[Condition, ...]
    because: tuple[str, ...]
    scores: Mapping[str, Mapping[str, float | None]]


@dataclass(frozen=True, slots=True)
class Parting:
    """The first place where the trees differ: its rows, and each learner's choice there with all its work."""

    rows: Rows
    counts: tuple[float, ...]
    choices: Mapping[str, Choice]
    derivations: Mapping[str, Derivation]

    def to_json(self) -> dict[str, Any]:
        """Plain values, without the work."""
        where = plain_values(when=self.rows.when, rows=self.rows.weight)
        return {**where, **json_with(self, "counts", "choices")}


@dataclass(frozen=True, slots=True, repr=False)
class TreeComparison(ShowsItself):
    """The trees by learner, the first node where they differ (None: nowhere), and changed settings."""

    models: Mapping[str, Tree]
    right: Mapping[str, float]  # rows each tree answers as the table does; nothing for numbers
    alike: tuple[tuple[str, ...], ...]  # learners whose trees never part from one another
    parting: Parting | None
    notes: tuple[str, ...] = ()
    costs: Mapping[str, ExpectedCost] = field(
        default_factory=dict
    )  # where one was given costs, on those rows

    def __repr__(self) -> str:
        if self.parting is None:
            where = "they never part"
        else:
            where = f"they differ {f'at {self.parting.rows}' if self.parting.rows.when else 'at the root'}"
        return f"<TreeComparison of {', '.join(self.models)}: {where}>"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "learners": {
                name: {
                    "learner": model.origin.learner,
                    "settings": dict(model.origin.settings),
                    "leaves": model.leaves,
                    "depth": model.depth,
                    "right": self.right.get(name),
                    "expected_cost": asdict(self.costs[name]) if name in self.costs else None,
                }
                for name, model in self.models.items()
            },
            "alike": [list(each) for each in self.alike],
            "parting": None if self.parting is None else self.parting.to_json(),
            "notes": list(self.notes),
        }


def compare_trees(
    table: Table, learners: Mapping[str, TreeLearner] | Sequence[TreeLearner] | None = None
) -> TreeComparison:
    """The same table through ID3, C4.5, CART and CHAID, or the tree learners given (by name, if they are two
    of a kind), and the first place where their trees part.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> comparison = cw.compare_trees(table, [cw.ID3(), cw.CART()])
    >>> [str(each) for each in comparison.parting.choices["CART"].asks]
    ['Outlook = Overcast', 'Outlook in {Rainy, Sunny}']
    """
    if not isinstance(table, Table):
        raise SettingError(
            f"compare_trees takes a Table, not {type(table).__name__}. Make one with read_table."
        )
    notes: tuple[str, ...] = ()
    if learners is None:
        named, notes = usual_learners(table)
    else:
        named = _named(learners)
    models, sentences = {}, dict.fromkeys(notes)
    for name, learner in named.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ClearwoodWarning)
            models[name] = learner.learn(table)
        sentences |= dict.fromkeys(
            each.message.sentence for each in caught if isinstance(each.message, ClearwoodWarning)
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        alike = _alike(named, models, table)
        nodes = where_they_part(named, models, table) if len(alike) > 1 else None
        parting = None if nodes is None else _parting(named, models, table, nodes)
    if len(set(_given_costs(models).values())) > 1:
        sentences |= {"The learners were given different costs: each is evaluated by its own.": None}
    return TreeComparison(models, _right(models), alike, parting, tuple(sentences), _costs(models))


def usual_learners(table: Table) -> tuple[dict[str, TreeLearner], tuple[str, ...]]:
    """ID3, C4.5, CART, CHAID and whatever else the catalogue has to be compared by default, if they learn
    such a target; defaults are changed, with a note, where they make no sense here."""
    notes = []
    named: dict[str, TreeLearner] = {name: entry.make() for name, entry in compared_by_default().items()}
    weight = float(len(table) if table.weights is None else table.weights.sum())
    chaid = named.get("CHAID")
    if isinstance(chaid, CHAID) and weight < SURVEY:
        least, leaf = minimums_for(weight)
        notes.append(
            f"CHAID's usual minimums, {chaid.min_rows:g} rows to split and {chaid.min_leaf:g} in a branch, "
            f"are made for surveys. For {exact_row_count(weight)} they are {least} and {leaf} here."
        )
        named["CHAID"] = CHAID(min_rows=least, min_leaf=leaf)
    if isinstance(table.schema.target, Numeric):
        of_classes = [name for name, each in named.items() if not each.learns_numbers]
        named = {name: each for name, each in named.items() if each.learns_numbers}
        notes.append(
            f"{with_and(of_classes)} learn classes only, so for a number there are {with_and(named)}."
        )
    return named, tuple(notes)


def _named(learners: Mapping[str, TreeLearner] | Sequence[TreeLearner]) -> dict[str, TreeLearner]:
    if isinstance(learners, Mapping):
        named = dict(learners)
    else:
        kinds = [type(each).__name__ for each in learners]
        twice = next((kind for kind in kinds if kinds.count(kind) > 1), None)
        if twice is not None:
            raise SettingError(
                f"Several learners are {twice}: give each a name, as in {{'plain': …, 'pruned': …}}."
            )
        named = dict(zip(kinds, learners, strict=True))
    if len(named) < 2:
        raise SettingError("compare_trees needs at least two learners.")
    for name, learner in named.items():
        if not _compared_by(learner):
            known = ", ".join(dict.fromkeys(each.name for each in trees().values() if each.compared_by))
            raise SettingError(f"'{name}' is no tree learner that compare_trees knows. Choose from: {known}.")
    return named


def _compared_by(learner: object) -> tuple[str, ...]:
    """The figures by which a learner compares attributes, the one that decides last."""
    entry = entry_of(learner)
    return () if entry is None else entry.compared_by


def _alike(
    learners: Mapping[str, TreeLearner], models: Mapping[str, Tree], table: Table
) -> tuple[tuple[str, ...], ...]:
    """The learners in groups of one tree, in the order they came."""
    groups: list[list[str]] = []
    for name in models:
        for group in groups:
            two = (group[0], name)
            if where_they_part({n: learners[n] for n in two}, {n: models[n] for n in two}, table) is None:
                group.append(name)
                break
        else:
            groups.append([name])
    return tuple(map(tuple, groups))


def _parting(
    learners: Mapping[str, TreeLearner], models: Mapping[str, Tree], table: Table, nodes: Mapping[str, int]
) -> Parting:
    derivations = {name: derive(models[name], table, at=nodes[name]) for name in models}
    first = next(iter(models))
    rows = Rows(models[first].weight(nodes[first]), path_to(models[first], nodes[first]))
    choices = {name: _choice(learners[name], models[name], nodes[name], derivations[name]) for name in models}
    return Parting(rows, tuple(models[first].nodes.counts[nodes[first]].tolist()), choices, derivations)


def _choice(learner: TreeLearner, model: Tree, node: int, derivation: Derivation) -> Choice:
    growing, *pruning = derivation
    values = {each.name: each.value for each in growing.walk()}
    scores = {}
    for attribute in model.schema.inputs:
        by_score = {score: values.get(f"{score}({attribute.name})") for score in _compared_by(learner)}
        scores[attribute.name] = {
            score: value if isinstance(value, float) else None for score, value in by_score.items()
        }
    asks = tuple(model.condition(child) for child in model.nodes.children(node))
    because = [growing.decision]
    # What was pruned matters where it made a leaf of what had grown.
    if isinstance(growing.outcome, BecameSplit) and not asks:
        because.extend(step.decision for step in pruning)
    return Choice(node, asks, tuple(because), scores)


def _right(models: Mapping[str, Tree]) -> dict[str, float]:
    """By learner: the weight of the training rows that its leaves answer right."""
    right = {}
    for name, model in models.items():
        if not model.is_numeric:
            leaves = np.flatnonzero(model.nodes.is_leaf)
            right[name] = float(model.nodes.counts[leaves, node_codes(model)[leaves]].sum())
    return right


def _given_costs(models: Mapping[str, Tree]) -> dict[str, Matrix]:
    """By learner that was given some: the costs of mistakes."""
    behind = {name: model.decision.costs_kept for name, model in models.items()}
    return {name: costs for name, costs in behind.items() if costs}


def _costs(models: Mapping[str, Tree]) -> dict[str, ExpectedCost]:
    """By learner: what a training row costs by the answers of its leaves. Costs that one was given judge the
    others too; where several differ, each learner is judged by its own, and one without costs by none."""
    given = _given_costs(models)
    shared = next(iter(given.values())) if len(set(given.values())) == 1 else ()
    by_learner = {}
    for name, model in models.items():
        classes = model.schema.classes
        if costs := given.get(name, shared):
            confusion = np.zeros((len(classes), len(classes)))
            leaves = np.flatnonzero(model.nodes.is_leaf)
            np.add.at(confusion.T, node_codes(model)[leaves], model.nodes.counts[leaves])
            if (cost := expected_cost(classes, tuple(map(tuple, confusion.tolist())), costs)) is not None:
                by_learner[name] = cost
    return by_learner


# Where trees part: the first place at which they do not send the same rows the same ways.


NodeByLearner: TypeAlias = dict[str, int]  # by learner: a node of its tree
_Key: TypeAlias = tuple[bytes, bytes]  # the rows that go one way, and the weight of each


def where_they_part(
    learners: Mapping[str, TreeLearner], models: Mapping[str, Tree], table: Table
) -> NodeByLearner | None:
    """The node of each tree at the first place, from the top down, where they differ; None if they never do.

    They differ where one asks and another does not, where they ask about other attributes, and where rows
    go other ways. A threshold elsewhere between the same two values, a branch without rows, and another
    order of the branches are no difference.
    """
    engine = engine_in_memory(table)
    waiting: list[dict[str, tuple[int, Frontier]]] = [{name: (0, engine.root()) for name in learners}]
    for here in waiting:
        ways = {name: _ways(engine, models[name], *here[name]) for name in here}
        first = next(iter(ways.values()))
        if any(each[0] != first[0] or set(each[1]) != set(first[1]) for each in ways.values()):
            return {name: node for name, (node, _) in here.items()}
        waiting.extend({name: ways[name][1][key] for name in here} for key in first[1])
    return None


def _ways(
    engine: InMemory, tree: Tree, node: int, region: Frontier
) -> tuple[int, dict[_Key, tuple[int, Frontier]]]:
    """The attribute a node asks about (−1: a leaf), and where the rows that follow each branch go."""
    below = tree.nodes.children(node)
    if not below:
        return -1, {}
    question = question_at(tree, node)
    branches = {}
    divided = engine.divide(region, {0: question})
    for branch, child in enumerate(below):
        follows = engine.only(divided, [branch])
        here = rows_here(follows)
        if len(here.row):
            weights = np.ldexp(here.units, -engine.exponent).round(9)
            branches[here.row.tobytes(), weights.tobytes()] = child, follows
    return question.attribute, branches
