"""To write ONNX: columns in, the class, the shares and the reason of every row out."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.errors import SettingError, check_known
from clearwood.exporting.exportable import Exportable, program_to_export, refused_without_words
from clearwood.exporting.exported import Exported, ExportFormat, heading_of
from clearwood.exporting.onnx.formulas import DOUBLE, FLOAT, INT64, ColumnFormulas
from clearwood.exporting.onnx.graph import ML, OnnxGraph, OnnxKind, OnnxPort, onnx_file, tensor_setting
from clearwood.formulas.conditions import (
    Between,
    Condition,
    Equals,
    OnNumbers,
    comparisons,
    exclude_each_other,
)
from clearwood.formulas.expressions import ChoiceCase, Choose, Holds, Number
from clearwood.models.kinds.tree.tree_program import TreeRoute
from clearwood.models.model import Ensemble, Tree
from clearwood.models.program.program import ModelProgram
from clearwood.models.routing import route_at
from clearwood.table.attributes import Nominal, Numeric, Ordinal

OnnxPrecision: TypeAlias = Literal["double", "single"]
ROWS = "rows"  # the input of a model that asks for no column: as many entries as there are rows


def to_onnx(
    model: Exportable, *, precision: OnnxPrecision = "double", missing: str = "<missing>"
) -> Exported:
    """A graph with an input of shape [rows, 1] for each column, and the outputs `label` and `probabilities`,
    or `number`; of trees and rules also `reason`, the text of the leaf or rule that answered (empty: several
    leaves have parts of the row); of a scorecard also `points`.

    A missing number is NaN. ONNX knows no missing text: `missing` is the text that stands for it, and for the
    label of a row without an answer. With `precision="single"` numbers come in and go out as floats, which
    many runtimes give by default; what lies between is worked out in doubles.
    """
    check_known("precision", precision, ("double", "single"), plural="precisions")
    program = program_to_export(model)
    _check_texts(program, missing)
    kind: OnnxKind = "double" if precision == "double" else "float"
    inputs = input_ports(program, kind)
    outputs = _outputs(program, kind, {each.name for each in inputs})
    graph = OnnxGraph(frozenset(each.name for each in (*inputs, *outputs)))
    _write(graph, model, program, inputs, outputs, missing)
    what, whence = heading_of(model)
    content = onnx_file(
        graph,
        inputs,
        outputs,
        about=("clearwood", f"{what} {whence}"),
        properties={
            "classes": json.dumps(program.classes),
            "columns": json.dumps([each.name for each in program.inputs]),
            "missing": missing,
        },
    )
    notes = [f"A missing number is NaN; a missing text, and the label of no prediction, is {missing!r}."]
    if precision == "single":
        notes.append("Numbers are rounded to single precision as they come in: rows near a cut may change.")
    options = {"precision": precision, "missing": missing}
    return Exported(
        "onnx",
        content,
        ".onnx",
        model,
        target="onnxruntime",
        options=options,
        precision=precision,
        notes=tuple(notes),
    )


def input_ports(program: ModelProgram, kind: OnnxKind) -> tuple[OnnxPort, ...]:
    """An input for each column; where there is none, one that has as many entries as there are rows."""
    if not program.inputs:
        return (OnnxPort(ROWS, "int64"),)
    return tuple(
        OnnxPort(each.name, kind if isinstance(each, Numeric) else "string") for each in program.inputs
    )


def _outputs(program: ModelProgram, kind: OnnxKind, taken: set[str]) -> tuple[OnnxPort, ...]:
    reason = () if program.region is None else (OnnxPort(_free("reason", taken), "string", None),)
    if not program.classes:
        return (OnnxPort(_free("number", taken), kind, None), *reason)
    ports = (
        OnnxPort(_free("label", taken), "string", None),
        OnnxPort(_free("probabilities", taken), kind, len(program.classes)),
        *reason,
    )
    return (*ports, OnnxPort(_free("points", taken), "double", None)) if program.points else ports


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _write(
    graph: OnnxGraph,
    model: Exportable,
    program: ModelProgram,
    inputs: tuple[OnnxPort, ...],
    outputs: tuple[OnnxPort, ...],
    missing: str,
) -> None:
    formulas = ColumnFormulas(graph)
    for column, port in zip(program.inputs, inputs, strict=False):
        if isinstance(column, Numeric):
            wide = graph.add("Cast", port.name, to=DOUBLE) if port.kind == "float" else port.name
            formulas.cells[column.name] = wide
        else:
            assert isinstance(column, Nominal | Ordinal)
            formulas.read_texts(column.name, port.name, column.values, missing)
    trees = trees_of(model)
    lay_leaves(formulas, trees)
    replaced = replaced_by_leaves((step.name for step in program.steps), trees)
    for step in program.steps:
        if step.name not in replaced:
            formulas.steps[step.name] = formulas.formula(step.value)
    shape = graph.add("Shape", inputs[0].name)
    number = FLOAT if any(each.kind == "float" for each in outputs) else DOUBLE
    flat = graph.constant(np.array([-1], np.int64))
    if program.region is not None:
        region = graph.add("Expand", formulas.steps[program.region], shape)
        at = graph.add("Cast", graph.add("Reshape", region, flat), to=INT64)
        texts = graph.constant(np.array([*program.regions, ""], object))  # place −1 is the last
        graph.add("Gather", texts, at, output=outputs[2 if program.classes else 1].name)
    answer = graph.add("Expand", formulas.steps[program.answer], shape)
    if not program.classes:
        graph.add("Cast", graph.add("Reshape", answer, flat), to=number, output=outputs[0].name)
        return
    place = graph.add("Cast", graph.add("Reshape", answer, flat), to=INT64)
    names = graph.constant(np.array([*program.classes, missing], object))  # place −1 is the last
    graph.add("Gather", names, place, output=outputs[0].name)
    shares = [graph.add("Expand", formulas.steps[each], shape) for each in program.shares]
    graph.add("Cast", graph.add("Concat", *shares, axis=1), to=number, output=outputs[1].name)
    if program.points is not None:
        points = graph.add("Expand", formulas.steps[program.points], shape)
        graph.add("Reshape", points, flat, output=outputs[2].name)


def _check_texts(program: ModelProgram, missing: str) -> None:
    for column in program.inputs:
        if isinstance(column, Nominal | Ordinal) and missing in column.values:
            raise SettingError(
                f"{missing!r} stands for a missing text, but is a value of '{column.name}'. "
                "Give another text that no column has as the option missing."
            )
    if missing in program.classes:
        raise SettingError(
            f"{missing!r} stands for no prediction, but is a class. Give another text as the option missing."
        )
    texts = [each.name for each in program.inputs] + list(program.classes) + [missing]
    texts += [each for column in program.inputs for each in getattr(column, "values", ())]
    for text in texts:
        if "\0" in text or not _is_utf8(text):
            raise SettingError(f"ONNX cannot hold the text {text!r}. Rename it, and learn again.")
    if "" in (each.name for each in program.inputs):
        raise SettingError(
            "ONNX cannot have an input without a name. Give the column a name, and learn again."
        )


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


FORMAT = ExportFormat(
    "onnx",
    "a graph that ONNX runtimes work out, in doubles or floats",
    (".onnx",),
    to_onnx,
    refused_without_words,
)


# The leaf that a row comes to, in every tree at once: one native operation instead of thousands of choices.
#
# The operation adds up what the leaves say, and gives a float. Here each leaf says its own place among
# those of its tree, a whole number that a float holds exactly, and each tree has its own sum; thresholds
# are doubles.


_ON_THE_WAY: Final = re.compile(
    r"(|tree_\d+_)(?:leaf|below_\d+|branch_\d+)"
)  # of `models/kinds/tree/tree_program.py`

_MODES: Final = {"<=": "BRANCH_LEQ", "<": "BRANCH_LT", ">": "BRANCH_GT", ">=": "BRANCH_GTE"}
_NODE_LISTS: Final[tuple[str, ...]] = (
    "nodes_treeids",
    "nodes_nodeids",
    "nodes_featureids",
    "nodes_modes",
    "nodes_truenodeids",
    "nodes_falsenodeids",
    "nodes_missing_value_tracks_true",
)
_TARGET_LISTS: Final[tuple[str, ...]] = ("target_treeids", "target_nodeids", "target_ids")


@dataclass(frozen=True, slots=True)
class _Question:
    """What an inner node asks: a comparison of a column of the operation's table."""

    column: int
    mode: str
    value: float
    missing: bool = False


@dataclass(slots=True)
class _TreeNodes:
    """The nodes of all trees, as the operation takes them."""

    nodes: list[tuple[Any, ...]] = field(default_factory=list)  # what `_NODE_LISTS` name, and a number
    leaves: list[tuple[int, int, int, float]] = field(default_factory=list)

    def inner(self, tree: int, node: int, asks: _Question, yes: int, no: int) -> None:
        """A node that asks."""
        self.nodes.append((tree, node, asks.column, asks.mode, yes, no, int(asks.missing), asks.value))

    def leaf(self, tree: int, node: int, place: int) -> None:
        """A node that says its place."""
        self.inner(tree, node, _Question(0, "LEAF", 0.0), 0, 0)
        self.leaves.append((tree, node, tree, float(place)))

    def settings(self) -> dict[str, Any]:
        """The lists of the operation, each with an entry for each node or leaf."""
        *of_nodes, values = map(list, zip(*self.nodes, strict=True))
        *of_leaves, places = map(list, zip(*self.leaves, strict=True))
        return {
            "nodes_values_as_tensor": tensor_setting(np.array(values)),
            "target_weights_as_tensor": tensor_setting(np.array(places)),
            **dict(zip(_NODE_LISTS, of_nodes, strict=True)),
            **dict(zip(_TARGET_LISTS, of_leaves, strict=True)),
        }


@dataclass(slots=True)
class _Table:
    """The columns that the operation is given: numbers, codes of texts, and what is worked out before."""

    formulas: ColumnFormulas
    columns: list[str] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)

    def place(self, tensor: str) -> int:
        """The column with this tensor."""
        if tensor not in self._places:
            self._places[tensor] = len(self.columns)
            self.columns.append(tensor)
        return self._places[tensor]

    def question(self, condition: Condition) -> _Question:
        """What is to be asked of the table."""
        cells, codes = self.formulas.cells, self.formulas.codes
        name = condition.name
        if isinstance(condition, OnNumbers) and not isinstance(condition, Between) and name in cells:
            ((sign, limit),) = comparisons(condition)
            return _Question(self.place(cells[name]), _MODES[sign], limit, condition.or_missing)
        if isinstance(condition, Equals) and name in codes and condition.value in self.formulas.values[name]:
            wide = self.formulas.graph.once("Cast", codes[name], to=DOUBLE)
            place = self.formulas.values[name].index(condition.value)
            return _Question(self.place(wide), "BRANCH_EQ", float(place))
        held = self.formulas.graph.once("Cast", self.formulas.test(Holds(condition)), to=DOUBLE)
        return _Question(self.place(held), "BRANCH_GT", 0.5)

    def branch(self, route: TreeRoute, rest: int) -> int:
        """A column with the branch that a route takes; `rest` where no test holds."""
        cases = (ChoiceCase(Holds(test.when), Number(float(test.way.branch))) for test in route.tests)
        return self.place(self.formulas.formula(Choose(tuple(cases), Number(float(rest)))))


def trees_of(model: Exportable) -> tuple[tuple[str, Tree], ...]:
    """The trees of a model, each with what begins the names of its steps; none of a model without trees."""
    if isinstance(model, Tree):
        return (("", model),)
    if isinstance(model, Ensemble) and model.trees is not None:
        members = ((f"tree_{place}_", each) for place, each in enumerate(model.members, 1))
        return tuple((before, each) for before, each in members if isinstance(each, Tree))
    return ()


def lay_leaves(formulas: ColumnFormulas, trees: Sequence[tuple[str, Tree]]) -> None:
    """The steps with the leaves of all trees, worked out by one operation."""
    graph = formulas.graph
    nodes, table = _TreeNodes(), _Table(formulas)
    asking = [(before, tree) for before, tree in trees if len(tree.nodes) > 1]
    for number, (_, tree) in enumerate(asking):
        _add_tree(nodes, table, number, tree)
    if not asking:
        return
    columns = graph.add("Concat", *table.columns, axis=1) if len(table.columns) > 1 else table.columns[0]
    settings = {"n_targets": len(asking), **nodes.settings()}
    places = graph.operation("TreeEnsembleRegressor", (columns,), settings, domain=ML)
    wide = graph.add("Cast", places, to=DOUBLE)
    for number, (before, _) in enumerate(asking):
        at = graph.constant(np.array([number], np.int64))
        formulas.steps[f"{before}leaf"] = graph.add("Gather", wide, at, axis=1)


def replaced_by_leaves(names: Iterable[str], trees: Sequence[tuple[str, Tree]]) -> set[str]:
    """The steps on the way to a leaf, which the operation works out: the leaf, and pieces of the way."""
    asking = {before for before, tree in trees if len(tree.nodes) > 1}
    return {name for name in names if (met := _ON_THE_WAY.fullmatch(name)) and met[1] in asking}


def _add_tree(nodes: _TreeNodes, table: _Table, number: int, tree: Tree) -> None:
    leaves = np.flatnonzero(tree.nodes.is_leaf).tolist()
    places = {node: place for place, node in enumerate(leaves)}
    next_free = len(tree.nodes)  # a split of several tests is several nodes; the first has its number
    for node in range(len(tree.nodes)):
        if node in places:
            nodes.leaf(number, node, places[node])
            continue
        route = route_at(tree, node)
        children = [int(each) for each in tree.nodes.children(node)]
        rest = route.rest[0].branch if len(route.rest) == 1 else -1
        asked = _questions(table, route, rest)
        last = next_free if rest < 0 else children[rest]
        next_free += rest < 0
        if not asked:  # all rows go one way, but a node has to ask
            always = _Question(table.branch(route, rest), "BRANCH_EQ", float(rest))
            nodes.inner(number, node, always, last, next_free)
            nodes.leaf(number, next_free, 0)
            next_free += 1
        at = node
        for place, (question, branch) in enumerate(asked):
            no = last
            if place < len(asked) - 1:
                no, next_free = next_free, next_free + 1
            nodes.inner(number, at, question, children[branch], no)
            at = no
        if rest < 0:  # behind the others: onnxruntime takes a tree's first node for its root
            nodes.leaf(number, last, -1)  # the row is divided among leaves


def _questions(table: _Table, route: TreeRoute, rest: int) -> list[tuple[_Question, int]]:
    """What is asked in order, each with its branch, every branch once; what is left goes to `rest`."""
    tests = [(test.when, test.way.branch) for test in route.tests]
    apart = all(
        exclude_each_other(one, other) for place, (one, _) in enumerate(tests) for other, _ in tests[:place]
    )
    if apart:
        tests = [each for each in tests if each[1] != rest]
        if len({branch for _, branch in tests}) == len(tests):
            return [(table.question(when), branch) for when, branch in tests]
    column = table.branch(route, rest)
    branches = dict.fromkeys(test.way.branch for test in route.tests)
    return [(_Question(column, "BRANCH_EQ", float(each)), each) for each in branches if each != rest]
