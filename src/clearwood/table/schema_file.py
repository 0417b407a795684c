"""A schema as JSON: the form it has in a schema file, and inside every model file."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NoReturn

from clearwood.errors import ClearwoodError, ColumnError, SchemaError, SourceError, no_such
from clearwood.files import write_whole
from clearwood.records import dataclass, json_of
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.describe import excerpt
from clearwood.table.schema import MEANINGS, ReadAs, Schema

# JSON read strictly: what is not as it must be is refused with its place.
#
# A file of models, a schema: each has its own error, with which a `Strict` is made.


@dataclass(frozen=True, slots=True)
class Strict:
    """Checks of fields; what they refuse is raised as `error`."""

    error: type[ClearwoodError]

    def refuse(self, where: str, demand: str, given: object) -> NoReturn:
        """One sentence: the place, what should be there, and what is."""
        shown = repr(given)
        raise self.error(f"{where} {demand}, not {shown if len(shown) <= 60 else shown[:57] + '…'}.")

    def fields(
        self, data: Any, where: str, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """An object with just these fields."""
        if not isinstance(data, dict):
            self.refuse(where, "must be an object", data)
        for key in required:
            if key not in data:
                raise self.error(f"{where}: '{key}' is missing.")
        for key in data:
            if key not in required and key not in optional:
                raise self.error(f"{where}: {no_such('field', str(key), (*required, *optional))}")
        return data

    def as_list(self, data: Any, where: str) -> list[Any]:
        """A list."""
        if type(data) is not list:
            self.refuse(where, "must be a list", data)
        return data

    def as_number(
        self,
        value: Any,
        where: str,
        key: str,
        low: float = -sys.float_info.max,
        high: float = sys.float_info.max,
    ) -> float:
        """A number in these bounds."""
        if type(value) not in (int, float) or not low <= value <= high:
            span = f" from {low:g} to {high:g}" if high == 1.0 else " ≥ 0" if low == 0.0 else ""
            self.refuse(f"{where}.{key}", f"must be a finite number{span}", value)
        return float(value)


FORMAT: Final = "clearwood schema"
VERSION: Final = 1
_STRICT: Final = Strict(SchemaError)


def schema_to_json(schema: Schema) -> dict[str, Any]:
    """Plain dicts, lists and strings, ready for `json.dumps`.

    >>> schema_to_json(Schema((Nominal("Wind", ("Weak", "Strong")), Numeric("Humidity"))))["columns"][0]
    {'name': 'Wind', 'kind': 'nominal', 'values': ['Weak', 'Strong']}
    """
    return {
        "columns": [_attribute_to_json(attribute) for attribute in schema.attributes],
        "target": None if schema.target is None else _attribute_to_json(schema.target),
        "weight": schema.weight,
        **({} if schema.weights_are is None else {"weights_are": schema.weights_are}),
        **(
            {"read_as": {name: dict(cells) for name, cells in schema.read_as.items()}}
            if schema.read_as
            else {}
        ),
    }


def schema_from_json(data: object) -> Schema:
    """The schema this JSON describes; whatever it doesn't describe is refused with its place.

    >>> schema_from_json({"columns": [{"name": "Humidity", "kind": "numeric"}]}).attributes
    (Numeric(name='Humidity', cuts=()),)
    """
    fields = _STRICT.fields(
        data, "the schema", required=("columns",), optional=("target", "weight", "weights_are", "read_as")
    )
    columns = _STRICT.as_list(fields["columns"], "columns")
    attributes = tuple(_attribute_from_json(each, f"columns[{i}]") for i, each in enumerate(columns))
    weight = fields.get("weight")
    if weight is not None and not isinstance(weight, str):
        _STRICT.refuse("weight", "must be a column's name or null", weight)
    target = None if fields.get("target") is None else _attribute_from_json(fields["target"], "target")
    if isinstance(target, Text | Ignored):
        raise SchemaError(
            f"target: '{target.name}' is {target.kind}; a target is nominal, ordinal or numeric."
        )
    weights_are = fields.get("weights_are")
    if weights_are is not None and weights_are not in MEANINGS:
        _STRICT.refuse("weights_are", f"must be one of {', '.join(MEANINGS)}, or null", weights_are)
    return Schema(attributes, target, weight, weights_are, _read_as(fields.get("read_as", {})))


def save_schema(schema: Schema, path: str | os.PathLike[str]) -> Path:
    """Write a schema file, completely or not at all."""
    text = json.dumps(
        {"format": FORMAT, "version": VERSION, **schema_to_json(schema)}, indent=1, ensure_ascii=False
    )
    return write_whole(path, f"{text}\n".encode())


def load_schema(path: str | os.PathLike[str]) -> Schema:
    """Read a schema file."""
    place = Path(path)
    try:
        data = json.loads(place.read_text(encoding="utf-8"))
    except OSError as error:
        raise SourceError(f"Cannot read the schema {place}: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise SchemaError(f"{place} is not a schema file: it is not UTF-8 text.") from None
    except json.JSONDecodeError as error:
        raise SchemaError(
            f"{place} is not valid JSON: line {error.lineno}, column {error.colno}: {error.msg}."
        ) from None
    except ValueError:  # Python's own limit on the digits of a whole number
        raise SchemaError(f"{place} is not a schema file: it has a number of thousands of digits.") from None
    except RecursionError:
        raise SchemaError(f"{place} is not a schema file: it is nested too deeply.") from None
    try:
        if isinstance(data, dict) and ("format" in data or "version" in data):
            data = _without_heading(data)
        return schema_from_json(data)
    except (SchemaError, ColumnError) as error:
        raise type(error)(f"{place}: ", error.sentence, place=error.place) from None


def _read_as(data: object) -> ReadAs:
    if not isinstance(data, dict):
        _STRICT.refuse("read_as", "must be an object", data)
    for name, cells in data.items():
        if not isinstance(cells, dict):
            _STRICT.refuse(f"read_as ('{name}')", "must be an object", cells)
        for new in cells.values():
            if new is not None and not isinstance(new, str):
                _STRICT.refuse(f"read_as ('{name}')", "must give text or null", new)
    return data


def _without_heading(data: dict[str, Any]) -> dict[str, Any]:
    if data.get("format") != FORMAT:
        _STRICT.refuse("format", f"must be '{FORMAT}'", data.get("format"))
    version = data.get("version")
    if type(version) is not int or version < 1:
        _STRICT.refuse("version", "must be a whole number from 1", version)
    if version > VERSION:
        raise SchemaError(
            f"written in version {excerpt(str(version))} of the format; this Clearwood reads up to "
            f"{VERSION}. Upgrade it."
        )
    return {key: value for key, value in data.items() if key not in ("format", "version")}


def _attribute_to_json(attribute: Attribute) -> dict[str, Any]:
    more = json_of(attribute, "name")
    if more == {"cuts": []}:  # any will do
        more = {}
    return {"name": attribute.name, "kind": attribute.kind, **more}


def _attribute_from_json(data: object, where: str) -> Attribute:
    fields = _STRICT.fields(data, where, required=("name", "kind"), optional=("values", "cuts", "because"))
    name, kind = fields["name"], fields["kind"]
    if not isinstance(name, str):
        _STRICT.refuse(f"{where}.name", "must be text", name)
    if not isinstance(kind, str) or kind not in _READERS:
        raise SchemaError(f"{where} ('{name}'): {no_such('kind', str(kind), _READERS)}")
    allowed, read = _READERS[kind]
    for key in fields:
        if key not in ("name", "kind", allowed):
            raise SchemaError(f"{where} ('{name}'): '{key}' does not belong to a {kind} column.")
    return read(name, fields, f"{where} ('{name}')")


def _values(fields: Mapping[str, Any], where: str) -> tuple[str, ...]:
    if "values" not in fields and fields["kind"] == "ordinal":
        raise SchemaError(f"{where}: 'values' is missing; list them from low to high.")
    values = _STRICT.as_list(fields.get("values", []), f"{where}.values")
    for value in values:
        if not isinstance(value, str):
            _STRICT.refuse(f"{where}.values", "must all be text", value)
    return tuple(values)


def _cuts(fields: Mapping[str, Any], where: str) -> tuple[float, ...]:
    cuts = _STRICT.as_list(fields.get("cuts", []), f"{where}.cuts")
    for cut in cuts:
        if isinstance(cut, bool) or not isinstance(cut, int | float) or not abs(cut) <= sys.float_info.max:
            _STRICT.refuse(f"{where}.cuts", "must all be finite numbers", cut)
    if any(after <= before for before, after in pairwise(cuts)):
        raise SchemaError(f"{where}.cuts must increase.")
    return tuple(float(cut) for cut in cuts)


def _ignored(name: str, fields: Mapping[str, Any], where: str) -> Ignored:
    because = fields.get("because", Ignored("").because)
    if not isinstance(because, str):
        _STRICT.refuse(f"{where}.because", "must be text", because)
    return Ignored(name, because)


_READERS: Final[dict[str, tuple[str, Callable[[str, Mapping[str, Any], str], Attribute]]]] = {
    "nominal": ("values", lambda name, fields, where: Nominal(name, _values(fields, where))),
    "ordinal": ("values", lambda name, fields, where: Ordinal(name, _values(fields, where))),
    "numeric": ("cuts", lambda name, fields, where: Numeric(name, _cuts(fields, where))),
    "text": ("", lambda name, _fields, _where: Text(name)),
    "ignored": ("because", _ignored),
}
