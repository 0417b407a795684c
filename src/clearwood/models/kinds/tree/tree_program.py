"""A tree as steps: which leaf a row comes to; where it is divided, which part of it comes to each.

A tree of many levels is cut into pieces, a step each: languages nest choices only so deep.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Condition
from clearwood.models.decision import adjusted, decided
from clearwood.models.kinds.rules.rule_list import Answer, Rule
from clearwood.models.kinds.tree.tree import Tree, add_condition, node_shares, node_values
from clearwood.models.program.deciding import decided_by_shares
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.models.routing import Route, route_at
from clearwood.models.space.space_of import inputs_used

TreeRoute: TypeAlias = Route[Condition]

SEVERAL: Final = f.Number(-1.0)  # the row is divided among leaves
_LEVELS: Final = 12  # of choices within choices in one step
_NODES: Final = 250  # in one step: a method of Java holds 64 kB


@dataclass(frozen=True, slots=True)
class Leaves:
    """The steps that send a row to its leaf, and the step with the leaf's place, −1 for several.

    `nodes` are the leaves' node numbers; `parts` the steps with the part of a divided row that comes to each,
    empty where no row is divided.
    """

    steps: tuple[ProgramStep, ...]
    leaf: str
    nodes: tuple[int, ...]
    parts: tuple[str, ...]

    @property
    def divided(self) -> f.StepTest:
        """Is the row divided among leaves?"""
        return f.Compared(f.Earlier(self.leaf), "<", f.ZERO)

    def mixed(self, figures: Sequence[float]) -> f.Expression:
        """What the leaves say of a number, by their parts of a divided row."""
        weighed = zip(f.earlier(self.parts), figures, strict=True)
        terms = tuple(part * figure for part, figure in weighed if figure != 0)
        return f.Sum(terms) if terms else f.ZERO

    def by_leaf(self, figures: Sequence[float], mixed: f.Expression | None = None) -> f.Expression:
        """The leaf's figure, which is looked up; of a divided row the one given, else the leaves' mixed."""
        looked_up = f.Lookup(tuple(figures), self.leaf)
        return f.where(self.divided, mixed or self.mixed(figures), looked_up) if self.parts else looked_up


def leaves_of(tree: Tree, *, before: str = "") -> Leaves:
    """The steps of a tree; `before` begins their names."""
    nodes = tuple(np.flatnonzero(tree.nodes.is_leaf).tolist())
    places = {node: place for place, node in enumerate(nodes)}
    routes = {node: route_at(tree, node) for node in tree if node not in places}
    steps = _way_down(tree, routes, places, before)
    leaf = steps[-1].name
    if all(len(route.rest) <= 1 for route in routes.values()):
        return Leaves(tuple(steps), leaf, nodes, ())
    when = f.Compared(f.Earlier(leaf), "<", f.ZERO)
    parts = _parts(tree, routes, before, when)
    names = tuple(f"{before}part_{node}" for node in nodes)
    return Leaves((*steps, *parts), leaf, nodes, names)


def program_of_tree(tree: Tree) -> ModelProgram:
    """The program of a tree: of each leaf all is known beforehand, of a divided row it is worked out."""
    way, inputs, regions = leaves_of(tree), inputs_used(tree), leaf_texts(tree)
    if tree.is_numeric:
        number = ProgramStep("number", way.by_leaf(node_values(tree)[list(way.nodes)].tolist()))
        return ModelProgram(inputs, (*way.steps, number), "number", region=way.leaf, regions=regions)
    classes = tree.schema.classes
    shares = node_shares(tree)[list(way.nodes)]
    shown = adjusted(shares, tree.decision)
    codes = [float(code) for code in decided(shown, tree.decision, classes)]
    mixed: tuple[ProgramStep, ...] = ()
    of_mixed: Sequence[f.Expression | None] = [None] * (len(classes) + 1)
    if way.parts:
        mixed = tuple(
            ProgramStep(f"mixed_{c}", way.mixed(column), when=way.divided)
            for c, column in enumerate(shares.T.tolist(), 1)
        )
        names = [step.name for step in mixed]
        rest = decided_by_shares(names, tree.decision, classes, when=way.divided, before="mixed_")
        mixed += rest.steps
        of_mixed = f.earlier((*rest.shares, rest.answer))
    told = tuple(
        ProgramStep(f"share_{c}", way.by_leaf(column, instead), f"of {name}")
        for c, (name, column, instead) in enumerate(
            zip(classes, shown.T.tolist(), of_mixed[:-1], strict=True), 1
        )
    )
    answer = ProgramStep("answer", way.by_leaf(codes, of_mixed[-1]), "the class", whole=True)
    steps, names = (*way.steps, *mixed, *told, answer), [step.name for step in told]
    return ModelProgram(inputs, steps, "answer", classes, tuple(names), way.leaf, regions)


def leaf_texts(tree: Tree) -> tuple[str, ...]:
    """What each leaf says, as a rule; the way to a node is its parent's and one condition more."""
    leaves = np.flatnonzero(tree.nodes.is_leaf).tolist()
    answers: Sequence[Answer | None]
    if tree.is_numeric:
        answers = node_values(tree)[leaves].tolist()
    else:
        classes = tree.schema.classes
        codes = decided(adjusted(node_shares(tree)[leaves], tree.decision), tree.decision, classes)
        answers = [None if code < 0 else classes[code] for code in codes]
    ways: list[dict[str, Condition]] = [{}]
    for node, parent in enumerate(tree.nodes.parent.tolist()[1:], 1):
        ways.append(dict(ways[parent]))
        add_condition(ways[node], tree.condition(node))
    named = zip(leaves, answers, strict=True)
    return tuple(str(Rule(tuple(ways[node].values()), answer)) for node, answer in named)


def _way_down(
    tree: Tree, routes: dict[int, TreeRoute], places: dict[int, int], before: str
) -> list[ProgramStep]:
    """The steps to the leaf, children before parents: the last one is the whole tree."""
    steps: list[ProgramStep] = []
    formulas: dict[int, f.Expression] = {}
    levels: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for node in range(len(tree.nodes) - 1, -1, -1):
        if node in places:
            formulas[node], levels[node], sizes[node] = f.Number(float(places[node])), 0, 1
            continue
        children = tree.nodes.children(node)
        deep = max(levels[child] for child in children) >= _LEVELS
        if deep or sum(sizes[child] for child in children) > _NODES:
            for child in children:
                if levels[child]:
                    name = f"{before}below_{child}"
                    steps.append(
                        ProgramStep(name, formulas[child], f"the leaf below node {child}", whole=True)
                    )
                    formulas[child], levels[child], sizes[child] = f.Earlier(name), 0, 1
        below = [formulas[child] for child in children]
        formulas[node] = _chosen(routes[node], below, f"{before}branch_{node}", steps)
        levels[node] = 1 + max(levels[child] for child in children)
        sizes[node] = 1 + sum(sizes[child] for child in children)
    steps.append(ProgramStep(f"{before}leaf", formulas[0], "the place of the leaf", whole=True))
    return steps


def _chosen(
    route: TreeRoute, below: Sequence[f.Expression], name: str, steps: list[ProgramStep]
) -> f.Expression:
    """The choice among the branches. Where several tests lead to one branch, as surrogates do, the branch is
    a step of its own, so that what lies below is said once."""
    rest = route.rest[0].branch if len(route.rest) == 1 else -1
    tests = list(route.tests)
    while tests and tests[-1].way.branch == rest:
        tests.pop()
    branches = [test.way.branch for test in tests] + [rest]
    below = [*below, SEVERAL]  # a rest of −1 is the last
    if len(set(branches)) == len(branches) or all(isinstance(each, f.Number) for each in below):
        direct = (f.ChoiceCase(f.Holds(test.when), below[test.way.branch]) for test in tests)
        return f.Choose(tuple(direct), below[rest])
    cases = tuple(f.ChoiceCase(f.Holds(test.when), f.Number(float(test.way.branch))) for test in tests)
    chosen = f.Choose(cases, f.Number(float(rest)))
    steps.append(ProgramStep(name, chosen, "the branch that is taken", whole=True))
    *taken, last = dict.fromkeys(branches)
    return f.Choose(
        tuple(
            f.ChoiceCase(f.Compared(f.Earlier(name), "=", f.Number(float(branch))), below[branch])
            for branch in taken
        ),
        below[last],
    )


def _parts(tree: Tree, routes: dict[int, TreeRoute], before: str, when: f.StepTest) -> list[ProgramStep]:
    """The part of the row that comes to each node, parents before children."""
    steps = (
        [ProgramStep(f"{before}part_0", f.ONE, "the whole row", when=when)] if len(tree.nodes) == 1 else []
    )
    for node, route in sorted(routes.items()):
        above: f.Expression = f.ONE if node == 0 else f.Earlier(f"{before}part_{node}")
        children = tree.nodes.children(node)
        sent: dict[int, list[f.StepTest]] = {branch: [] for branch in range(len(children))}
        for test in route.tests:
            sent[test.way.branch].append(f.Holds(test.when))
        rest = {way.branch: way.part for way in route.rest}
        if all(test.way.because == "cell" for test in route.tests):
            formulas = _apart(sent, rest, above)
        else:
            formulas = [_in_order(route, branch, rest, above) for branch in range(len(children))]
        for child, formula in zip(children, formulas, strict=True):
            steps.append(ProgramStep(f"{before}part_{child}", formula, when=when))
    return steps


def _apart(
    sent: dict[int, list[f.StepTest]], rest: dict[int, float], above: f.Expression
) -> list[f.Expression]:
    """Of branches that exclude each other: its own tests, those of the others, and what is left."""
    formulas: list[f.Expression] = []
    for branch, tests in sent.items():
        others = tuple(test for other, theirs in sent.items() if other != branch for test in theirs)
        cases = [f.ChoiceCase(_any(tests), above)] if tests else []
        if branch not in rest:
            formulas.append(f.Choose(tuple(cases), f.ZERO))
            continue
        if others:
            cases.append(f.ChoiceCase(_any(others), f.ZERO))
        formulas.append(f.Choose(tuple(cases), _share(rest[branch], above)))
    return formulas


def _in_order(route: TreeRoute, branch: int, rest: dict[int, float], above: f.Expression) -> f.Expression:
    cases = tuple(
        f.ChoiceCase(f.Holds(test.when), above if test.way.branch == branch else f.ZERO)
        for test in route.tests
    )
    return f.Choose(cases, _share(rest[branch], above) if branch in rest else f.ZERO)


def _share(part: float, above: f.Expression) -> f.Expression:
    if part == 1 or above == f.ONE:
        return above if part == 1 else f.Number(part)
    return above * part


def _any(tests: Sequence[f.StepTest]) -> f.StepTest:
    return tests[0] if len(tests) == 1 else f.AnyOf(tuple(tests))
