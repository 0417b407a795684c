"""What every PMML file has around its model: header, dictionary of columns, and the model's schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from clearwood.exporting.exportable import Exportable
from clearwood.exporting.exported import heading_of, writer_version
from clearwood.models.program.program import ModelProgram
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal

NAMESPACE = "http://www.dmg.org/PMML-4_4"


@dataclass(frozen=True, slots=True)
class PmmlFrame:
    """What every element of a file is told: the program, what the target is called, the outputs with the
    share of each class, those with the leaf or rule that answered and its text, and that with the points of
    a scorecard."""

    program: ModelProgram
    target: str
    shares: tuple[str, ...]
    leaf: str
    reason: str
    points: str

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that the program asks for."""
        return tuple(each.name for each in self.program.inputs)

    @property
    def taken(self) -> set[str]:
        """The names that no other field may have."""
        return {self.target, *self.shares, self.leaf, self.reason, self.points, *self.columns}

    @property
    def function(self) -> str:
        """What the model is for."""
        return "classification" if self.program.classes else "regression"

    def schema(
        self, columns: Iterable[str] | None = None, fills: Mapping[str, str] | None = None
    ) -> XmlElement:
        """The columns that are asked for, by default all, what a missing cell of some is taken for, and the
        target."""
        return mining_schema(self.columns if columns is None else columns, self.target, fills)


def pmml_frame(model: Exportable, program: ModelProgram) -> PmmlFrame:
    """Names that no column has."""
    taken = {each.name for each in program.inputs}
    named = "" if model.schema.target is None else model.schema.target.name
    target = free_name(named or "prediction", taken)
    shares = tuple(free_name(f"probability({each})", taken) for each in program.classes)
    return PmmlFrame(
        program, target, shares, *(free_name(each, taken) for each in ("leaf", "reason", "points"))
    )


def free_name(name: str, taken: set[str]) -> str:
    """The name, or one like it that is not taken; then it is."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def pmml_file(model: Exportable, frame: PmmlFrame, of_model: XmlElement) -> str:
    """The whole file around the model."""
    what, whence = heading_of(model)
    classes = frame.program.classes
    target = Nominal(frame.target, classes) if classes else Numeric(frame.target)
    columns = [_column(each) for each in (*frame.program.inputs, target)]
    written_by = element("Application", name="Clearwood", version=writer_version())
    root = element(
        "PMML",
        element("Header", written_by, description=f"{what} {whence}"),
        element("DataDictionary", *columns, numberOfFields=str(len(columns))),
        of_model,
        xmlns=NAMESPACE,
        version="4.4",
    )
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + "\n".join(xml_lines(root)) + "\n"


def mining_schema(
    columns: Iterable[str], target: str | None = None, fills: Mapping[str, str] | None = None
) -> XmlElement:
    """A value that was never met is taken as it is: no condition names it."""
    fills = fills or {}
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


def output_field(
    name: str, feature: str, *of: XmlElement, is_text: bool = False, **more: str | None
) -> XmlElement:
    """An output: a text, or else a number."""
    optype, kind = ("categorical", "string") if is_text else ("continuous", "double")
    return element("OutputField", *of, name=name, optype=optype, dataType=kind, feature=feature, **more)


NOTHING_BEHIND: Final[Mapping[str, str]] = MappingProxyType({})


def share_outputs(frame: PmmlFrame, behind: Mapping[str, str] = NOTHING_BEHIND) -> list[XmlElement]:
    """The outputs with a model's own share of each class.

    `behind` has, by the steps of the program that they are, what they are called for a model behind this one,
    which decides by them; where there is none they are the last.
    """
    shown = "false" if behind else None
    return [
        output_field(name, "probability", value=label, isFinalResult=shown)
        for name, label in zip(behind.values() or frame.shares, frame.program.classes, strict=True)
    ]


def _column(column: Attribute) -> XmlElement:
    if isinstance(column, Nominal | Ordinal):
        values = (element("Value", value=each) for each in column.values)
        return element("DataField", *values, name=column.name, optype="categorical", dataType="string")
    return element("DataField", name=column.name, optype="continuous", dataType="double")


# Elements of XML and their text, which a reader gives back character by character.


_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Readers make blanks of line breaks and tabs unless they are written by their numbers.
_ESCAPED: Final = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\n": "&#10;",
    "\r": "&#13;",
    "\t": "&#9;",
}
_TO_ESCAPE: Final = re.compile('[&<>"\n\r\t]')


@dataclass(frozen=True, slots=True)
class XmlElement:
    """An element: its attributes in order, and either text or elements within."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    within: tuple[XmlElement, ...] = ()
    text: str = ""


def element(tag: str, *within: XmlElement, text: str | None = None, **attributes: str | None) -> XmlElement:
    """An element by its attributes; those that are None are left out.

    >>> print("".join(xml_lines(element("Value", value='5" < x'))))
    <Value value="5&quot; &lt; x"/>
    """
    given = tuple((name, value) for name, value in attributes.items() if value is not None)
    return XmlElement(tag, given, within, text or "")


def unless_empty(tag: str, within: Sequence[XmlElement]) -> list[XmlElement]:
    """An element around others, where there are some."""
    return [element(tag, *within)] if within else []


def xml_lines(root: XmlElement) -> Iterator[str]:
    """The lines of an element. What is open is kept in a list: elements may lie deep."""
    open_elements: list[XmlElement | str] = [root]
    depth = 0
    while open_elements:
        current = open_elements.pop()
        if isinstance(current, str):
            depth -= 1
            yield f"{' ' * depth}</{current}>"
            continue
        attributes = "".join(f' {name}="{_escaped(value)}"' for name, value in current.attributes)
        if current.within:
            yield f"{' ' * depth}<{current.tag}{attributes}>"
            open_elements.append(current.tag)
            open_elements.extend(reversed(current.within))
            depth += 1
        elif current.text:
            yield f"{' ' * depth}<{current.tag}{attributes}>{_escaped(current.text)}</{current.tag}>"
        else:
            yield f"{' ' * depth}<{current.tag}{attributes}/>"


def is_xml(text: str) -> bool:
    """Can XML hold these characters?"""
    return _FORBIDDEN.search(text) is None


def _escaped(text: str) -> str:
    return _TO_ESCAPE.sub(lambda met: _ESCAPED[met[0]], text)
