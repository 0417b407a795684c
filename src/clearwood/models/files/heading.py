"""The heading of every model file: format and version, kind, schema, origin, decision, profile of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta

from clearwood.errors import ClearwoodError, ModelFileError, TableError
from clearwood.models.decision import Cutoff, Decision, Isotonic, Platt, check_decision
from clearwood.models.files.forms import Finite, Form, Share, Weight, WholeNumber, form_of, shape_of
from clearwood.models.files.origin import OriginForm, origin_from_form, origin_to_form
from clearwood.models.files.places import Misplaced, at, placed, refuse
from clearwood.models.model import Model
from clearwood.models.origin import Origin
from clearwood.models.profile import NumbersProfile, Profile, TextProfile, ValuesProfile, check_profile
from clearwood.table.attributes import AttributeKind
from clearwood.table.schema import Schema
from clearwood.table.schema_file import schema_from_json, schema_to_json
from clearwood.table.weights import MEANINGS

FORMAT: Final = "clearwood"
VERSION: Final = 2

form_of(Cutoff, at=Share, costs=tuple[tuple[Weight, ...], ...])
form_of(Platt, tag="platt", tag_field="method")
form_of(Isotonic, tag="isotonic", tag_field="method")
DecisionForm = form_of(
    Decision,
    factors=tuple[Weight, ...],
    costs=tuple[tuple[Weight, ...], ...],
    refer=Share | None,
    prevalence=tuple[Share, ...],
    trained_at=tuple[Share, ...],
)
form_of(ValuesProfile, tag="values", counts=tuple[Weight, ...], missing=Weight)
form_of(
    NumbersProfile, tag="numbers", deviation=Weight | None, known=Weight, missing=Weight, mean=Finite | None
)
form_of(TextProfile, tag="text", known=Weight, words=Weight, missing=Weight)
ProfileForm = form_of(Profile, rows=WholeNumber, weight=Weight, whole_rows=WholeNumber)


class ColumnForm(Form, frozen=True):
    """What a column was taken for."""

    name: str
    kind: Literal[get_args(AttributeKind)]  # type: ignore[valid-type]
    values: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    cuts: tuple[Finite, ...] | msgspec.UnsetType = msgspec.UNSET
    because: str | msgspec.UnsetType = msgspec.UNSET


class SchemaForm(Form, frozen=True):
    """What each column was taken for; `weight` names the column of row weights, `read_as` says by column
    ("": of all) which value is read as which other, null being a missing cell."""

    columns: tuple[ColumnForm, ...]
    target: ColumnForm
    weight: str | None = None
    weights_are: Literal[MEANINGS] | msgspec.UnsetType = msgspec.UNSET  # type: ignore[valid-type]
    read_as: dict[str, dict[str, str | None]] | msgspec.UnsetType = msgspec.UNSET


# The schema has a file of its own, which is read with words of its own; here it is only published.
_SCHEMA: Final = Annotated[Any, Meta(extra_json_schema={"$ref": "#/$defs/SchemaForm"})]

HEADING: Final[tuple[tuple[str, Any], ...]] = (
    ("format", Literal["clearwood"]),
    ("version", Annotated[int, Meta(ge=VERSION, le=VERSION)]),
    ("schema", _SCHEMA),
    ("origin", OriginForm),
    ("decision", DecisionForm),
    ("profile", ProfileForm | None),
)


@dataclass(frozen=True, slots=True)
class Heading:
    """What a body needs to become a model."""

    schema: Schema
    origin: Origin
    decision: Decision
    profile: Profile | None


def heading_to_form(model: Model) -> dict[str, Any]:
    """The fields of the heading, as forms and plain data."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "schema": schema_to_json(model.schema),
        "origin": origin_to_form(model.origin),
        "decision": _write(Decision, model.decision),
        "profile": None if model.profile is None else _write(Profile, model.profile),
    }


def heading_from_form(form: Any) -> Heading:
    """Schema, origin, decision and profile of a file's form, each fitting the schema."""
    try:
        schema = schema_from_json(form.schema)
    except TableError as error:
        raise ModelFileError(f"schema: {error}") from None
    if schema.target is None:
        refuse("schema.target", "must name what the model predicts", None)
    try:
        origin = at("origin", origin_from_form, form.origin)
        decision: Decision = at("decision", _read(Decision), form.decision)
        profile = None if form.profile is None else at("profile", _read(Profile), form.profile)
    except Misplaced as error:
        raise placed(error, "") from None
    try:
        check_decision(decision, schema.classes)
        if profile is not None:
            check_profile(profile, schema)
    except ClearwoodError as error:
        raise ModelFileError(error.sentence) from None
    return Heading(schema, origin, decision, profile)


def _read(kind: type[Any]) -> Any:
    read = shape_of(kind).read
    assert read is not None
    return read


def _write(kind: type[Any], value: Any) -> Any:
    write = shape_of(kind).write
    assert write is not None
    return write(value)
