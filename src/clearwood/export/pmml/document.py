"""What every PMML file has around its model: header, dictionary of columns, and the model's schema."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clearwood import __version__
from clearwood.export.exportable import Exportable
from clearwood.export.heading import heading_of
from clearwood.export.pmml.xml import XmlElement, element, xml_lines
from clearwood.export.program.program import ModelProgram
from clearwood.table.attributes import Nominal, Numeric, Ordinal

NAMESPACE = "http://www.dmg.org/PMML-4_4"


@dataclass(frozen=True, slots=True)
class PmmlNames:
    """What the target is called, the outputs with the share of each class, and that with the points."""

    target: str
    shares: tuple[str, ...]
    points: str

    @property
    def taken(self) -> frozenset[str]:
        """All of them."""
        return frozenset((self.target, *self.shares, self.points))


def pmml_names(model: Exportable, program: ModelProgram) -> PmmlNames:
    """Names that no column has."""
    taken = {each.name for each in program.inputs}

    def free(name: str) -> str:
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    named = "" if model.schema.target is None else model.schema.target.name
    target = free(named or "answer")
    shares = tuple(free(f"probability({each})") for each in program.classes)
    return PmmlNames(target, shares, free("points"))


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
            element("Application", name="Clearwood", version=__version__),
            description=f"{what} {whence}",
        ),
        element("DataDictionary", *columns, numberOfFields=str(len(columns))),
        of_model,
        xmlns=NAMESPACE,
        version="4.4",
    )
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + "\n".join(xml_lines(root)) + "\n"


def mining_schema(program: ModelProgram, names: PmmlNames) -> XmlElement:
    """The columns that are asked for. A value that was never met is taken as it is: no condition names it."""
    fields = [
        element("MiningField", name=each.name, invalidValueTreatment="asIs", missingValueTreatment="asIs")
        for each in program.inputs
    ]
    return element("MiningSchema", *fields, element("MiningField", name=names.target, usageType="target"))


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
