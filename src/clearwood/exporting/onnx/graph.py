"""A graph of ONNX in the making: nodes, constants kept once, and the file it becomes.

Only this file calls the library onnx, and only when the graph is finished.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.errors import MissingExtraError

if TYPE_CHECKING:
    import onnx

OnnxKind: TypeAlias = Literal["double", "float", "int64", "string"]
ML: Final = "ai.onnx.ml"
_OPSET: Final = 17
_ML_OPSET: Final = 3
_IR: Final = 9


@dataclass(frozen=True, slots=True)
class OnnxPort:
    """An input or output of a graph: its name, what it holds, and how many columns (None: it is a list)."""

    name: str
    kind: OnnxKind
    columns: int | None = 1


@dataclass(frozen=True, slots=True)
class _OnnxNode:
    operator: str
    inputs: tuple[str, ...]
    output: str
    domain: str
    settings: Mapping[str, Any]


@dataclass(slots=True)
class OnnxGraph:
    """Nodes are added one by one; each gives the name of what it makes.

    `taken` are the names of inputs and outputs, which no other value may have.
    """

    taken: frozenset[str]
    nodes: list[_OnnxNode] = field(default_factory=list)
    constants: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    _known: dict[tuple[Any, ...], str] = field(default_factory=dict)
    _count: int = 0

    def add(self, operator: str, *inputs: str, output: str = "", **settings: Any) -> str:
        """One more node; the name of what it gives."""
        return self.operation(operator, inputs, settings, output=output)

    def operation(
        self,
        operator: str,
        inputs: tuple[str, ...],
        settings: Mapping[str, Any],
        *,
        domain: str = "",
        output: str = "",
    ) -> str:
        """The same, of any domain."""
        made = output or self._new(operator)
        self.nodes.append(_OnnxNode(operator, inputs, made, domain, settings))
        return made

    def once(self, operator: str, *inputs: str, **settings: Any) -> str:
        """The same, but a node that is there already is not added again."""
        key = (operator, inputs, tuple(settings.items()))
        if key not in self._known:
            self._known[key] = self.add(operator, *inputs, **settings)
        return self._known[key]

    def constant(self, values: np.ndarray[Any, Any]) -> str:
        """A constant, by name; equal ones are kept once."""
        content = values.tolist() if values.dtype == object else values.tobytes()
        key = ("constant", values.dtype.str, values.shape, repr(content))
        if key not in self._known:
            self._known[key] = self._new("constant")
            self.constants[self._known[key]] = values
        return self._known[key]

    def _new(self, stem: str) -> str:
        while True:
            self._count += 1
            name = f"{stem}_{self._count}"
            if name not in self.taken:
                return name


def onnx_file(
    graph: OnnxGraph,
    inputs: Sequence[OnnxPort],
    outputs: Sequence[OnnxPort],
    *,
    about: tuple[str, str],
    properties: Mapping[str, str],
) -> bytes:
    """The file of a finished graph; `about` are its name and a sentence."""
    library = _library()
    helper = library.helper
    made = helper.make_graph(
        [
            helper.make_node(each.operator, each.inputs, [each.output], domain=each.domain, **each.settings)
            for each in graph.nodes
        ],
        about[0],
        [_port(library, each) for each in inputs],
        [_port(library, each) for each in outputs],
        [_tensor(library, name, values) for name, values in graph.constants.items()],
    )
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(ML, _ML_OPSET)]
    model = helper.make_model(made, opset_imports=opsets, producer_name="clearwood", doc_string=about[1])
    model.ir_version = _IR
    helper.set_model_props(model, dict(properties))
    content: bytes = model.SerializeToString(deterministic=True)
    return content


def _port(library: Any, port: OnnxPort) -> onnx.ValueInfoProto:
    kinds = {
        "double": library.TensorProto.DOUBLE,
        "float": library.TensorProto.FLOAT,
        "int64": library.TensorProto.INT64,
        "string": library.TensorProto.STRING,
    }
    shape = ["rows"] if port.columns is None else ["rows", port.columns]
    info: onnx.ValueInfoProto = library.helper.make_tensor_value_info(port.name, kinds[port.kind], shape)
    return info


def _tensor(library: Any, name: str, values: np.ndarray[Any, Any]) -> onnx.TensorProto:
    tensor: onnx.TensorProto
    if values.dtype == object:
        texts = [str(each).encode() for each in values.ravel()]
        tensor = library.helper.make_tensor(name, library.TensorProto.STRING, values.shape, texts)
    else:
        tensor = library.numpy_helper.from_array(values, name)
    return tensor


def tensor_setting(values: np.ndarray[Any, Any]) -> onnx.TensorProto:
    """Numbers as the setting of a node."""
    return _tensor(_library(), "", values)


def _library() -> Any:
    try:
        import onnx
        import onnx.helper
        import onnx.numpy_helper
    except ImportError:
        raise MissingExtraError("To write ONNX, install its library: pip install 'clearwood[onnx]'") from None
    return onnx
