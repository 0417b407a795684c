"""What every PMML file has around its model: header, dictionary of columns, and the model's schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from clearwood.export.exportable import Exportable
from clearwood.export.heading import heading_of
from clearwood.export.pmml.xml import XmlElement, element, xml_lines
from clearwood.export.program.program import ModelProgram
from clearwood.export.writer_version import writer_version
from clearwood.table.attributes import Nominal, Numeric, Ordinal

NAMESPACE = "http://www.dmg.org/PMML-4_4"


@dataclass(frozen=True, slots=True)
class PmmlNames:
    """What the target is called, the outputs with the share of each class, those with the leaf or rule that
    answered and its text, and that with the points of a scorecard."""

    target: str
    shares: tuple[str, ...]
    leaf: str
    reason: str
    points: str

    @property
    def taken(self) -> frozenset[str]:
        """All of them."""
        return frozenset((self.target, *self.shares, self.leaf, self.reason, self.points))


def pmml_names(model: Exportable, program: ModelProgram) -> PmmlNames:
    """Names that no column has."""
    taken = set(input_names(program))
    named = "" if model.schema.target is None else model.schema.target.name
    target = free_name(named or "answer", taken)
    shares = tuple(free_name(f"probability({each})", taken) for each in program.classes)
    leaf, reason, points = (free_name(each, taken) for each in ("leaf", "reason", "points"))
    return PmmlNames(target, shares, leaf, reason, points)


def free_name(name: str, taken: set[str]) -> str:
    """The name, or one like it that is not taken; then it is."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def pmml_file(model: Exportable, program: ModelProgram, names: PmmlNames, of_model: XmlElement) -> str:
    """The whole file around the model."""
    what, whence = heading_of(model)
    columns = [_column(each.name, each) for each in program.inputs]
    target = Nominal(names.target, program.classes) if program.classes else Numeric(names.target)
    columns.append(_column(names.target, target))
    root = element(
        "PMML",
        element(
            "Header",
            element("Application", name="Clearwood", version=writer_version()),
            description=f"{what} {whence}",
        ),
        element("DataDictionary", *columns, numberOfFields=str(len(columns))),
        of_model,
        xmlns=NAMESPACE,
        version="4.4",
    )
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + "\n".join(xml_lines(root)) + "\n"


def mining_schema(
    columns: Iterable[str], target: str | None, *, fills: Mapping[str, str] = MappingProxyType({})
) -> XmlElement:
    """The columns that are asked for, and what a missing cell of some is taken for.

    A value that was never met is taken as it is: no condition names it.
    """
    fields = [
        element(
            "MiningField",
            name=each,
            invalidValueTreatment="asIs",
            missingValueReplacement=fills.get(each),
            missingValueTreatment="asValue" if each in fills else "asIs",
        )
        for each in columns
    ]
    answered = [] if target is None else [element("MiningField", name=target, usageType="target")]
    return element("MiningSchema", *fields, *answered)


def input_names(program: ModelProgram) -> tuple[str, ...]:
    """The names of the columns that a program asks for."""
    return tuple(each.name for each in program.inputs)


def probabilities(outputs: Sequence[str], classes: Sequence[str], *, final: bool = True) -> list[XmlElement]:
    """The outputs with a model's own share of each class; unless they are `final`, for models behind it."""
    return [
        element(
            "OutputField",
            name=name,
            optype="continuous",
            dataType="double",
            feature="probability",
            value=label,
            isFinalResult=None if final else "false",
        )
        for name, label in zip(outputs, classes, strict=True)
    ]


def function_name(program: ModelProgram) -> str:
    """What the model is for."""
    return "classification" if program.classes else "regression"


def _column(name: str, column: object) -> XmlElement:
    if isinstance(column, Nominal | Ordinal):
        return element(
            "DataField", *_values(column.values), name=name, optype="categorical", dataType="string"
        )
    return element("DataField", name=name, optype="continuous", dataType="double")


def _values(values: Sequence[str]) -> tuple[XmlElement, ...]:
    return tuple(element("Value", value=each) for each in values)
