"""The output with the reason: the text of the leaf or rule that answered, looked up by its place or name."""

from __future__ import annotations

from collections.abc import Iterable

from clearwood.export.pmml.xml import XmlElement, element


def reason_output(name: str, by: str, texts: Iterable[tuple[str, str]]) -> XmlElement:
    """An output field by another field, `by`; `texts` are its values, each with the reason."""
    rows = (element("row", element("at", text=value), element("reason", text=text)) for value, text in texts)
    return element(
        "OutputField",
        element(
            "MapValues",
            element("FieldColumnPair", field=by, column="at"),
            element("InlineTable", *rows),
            outputColumn="reason",
            dataType="string",
        ),
        name=name,
        optype="categorical",
        dataType="string",
        feature="transformedValue",
    )


def leaf_output(name: str) -> XmlElement:
    """An output field with the name of the node that answered."""
    return element("OutputField", name=name, optype="categorical", dataType="string", feature="entityId")
