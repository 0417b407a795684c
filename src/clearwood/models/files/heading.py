"""The heading of every model file (format and version, kind, schema, origin, decision, profile of rows), and
the form of a whole file by its kind.

A kind that is added to `KINDS` is saved, loaded strictly, and published in the JSON Schema. A body has no
schema and no origin: it can stand in the file of another model, which gives it its own.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, Union

import msgspec
from msgspec import Meta

from clearwood.errors import ClearwoodError, ModelFileError, TableError, no_such
from clearwood.models import lineage
from clearwood.models.decision import Cutoff, Decision, Isotonic, Platt, check_decision
from clearwood.models.files.forms import (
    MOST,
    Finite,
    Form,
    Misplaced,
    Share,
    Weight,
    WholeNumber,
    at,
    form_of,
    placed,
    plain_from_json,
    plain_to_json,
    read_form,
    refuse,
    shape_of,
    write_form,
)
from clearwood.models.kinds.kind import (
    KINDS,
    Kind,
    NumbersProfile,
    Profile,
    TextProfile,
    ValuesProfile,
    check_profile,
    kind_of,
)
from clearwood.models.lineage import Origin
from clearwood.models.model import Model
from clearwood.records import dataclass
from clearwood.table.attributes import AttributeKind
from clearwood.table.schema import Schema, WeightsAre
from clearwood.table.schema_file import schema_from_json, schema_to_json

# Origin and lineage in a file: how the model was made, and all that was done to it since, in order.


class JoinedForm(Form, frozen=True, tag="joined", tag_field="did"):
    """Another model was joined to this one."""

    other: OriginForm


class DistilledForm(Form, frozen=True, tag="distilled", tag_field="did"):
    """It was learned from the predictions or probabilities of another model, which it imitates."""

    of: OriginForm
    fidelity: float
    rows: WholeNumber
    made: WholeNumber
    by: Literal["answers", "shares"]
    alpha: float | None
    quantile: Annotated[float, msgspec.Meta(gt=0, lt=1)] | None


_SIZES: Final[dict[str, Any]] = dict.fromkeys(
    ("rules_before", "rules_after", "conditions_before", "conditions_after"), WholeNumber
)
if TYPE_CHECKING:
    DoneForm: TypeAlias = Any
else:
    DoneForm = (
        form_of(lineage.Selected, tag="selected", tag_field="did", of=WholeNumber)
        | form_of(lineage.Balanced, tag="balanced", tag_field="did")
        | form_of(lineage.Tuned, tag="tuned", tag_field="did", tried=WholeNumber)
        | form_of(lineage.Chosen, tag="chosen", tag_field="did")
        | form_of(
            lineage.Pruned, tag="pruned", tag_field="did", nodes_before=WholeNumber, nodes_after=WholeNumber
        )
        | form_of(lineage.ReadAsRules, tag="read as rules", tag_field="did")
        | form_of(lineage.Simplified, tag="simplified", tag_field="did", **_SIZES)
        | form_of(
            lineage.Edited, tag="edited", tag_field="did", rules=tuple[WholeNumber, ...], to=WholeNumber
        )
        | form_of(lineage.CurveEdited, tag="curve edited", tag_field="did")
        | form_of(lineage.Imported, tag="imported", tag_field="did")
        | form_of(lineage.EndedEarly, tag="ended early", tag_field="did", done=WholeNumber, of=WholeNumber)
        | form_of(
            lineage.LearnedMore,
            tag="learned more",
            tag_field="did",
            rows=WholeNumber,
            rounds=WholeNumber | None,
        )
        | form_of(lineage.AsWeights, tag="as weights", tag_field="did")
        | form_of(lineage.Calibrated, tag="calibrated", tag_field="did", rows=WholeNumber)
        | form_of(lineage.Decided, tag="decided", tag_field="did", rows=WholeNumber)
        | JoinedForm
        | DistilledForm
    )


class OriginForm(Form, frozen=True):
    """How the model was made: the learner with its settings, the version of Clearwood, a fingerprint of the
    training rows and their number, what their weights meant, and all that was done since, in order."""

    learner: str
    settings: dict[str, Any]
    version: str
    fingerprint: str
    rows: WholeNumber
    weights_are: Literal["counts", "sampling", "importance"] | None
    after: tuple[DoneForm, ...]


def origin_to_form(origin: Origin) -> OriginForm:
    return OriginForm(
        learner=origin.learner,
        settings=plain_to_json(origin.settings),
        version=origin.version,
        fingerprint=origin.fingerprint,
        rows=origin.rows,
        weights_are=origin.weights_are,
        after=tuple(_form_of(done) for done in origin.after),
    )


def _form_of(done: lineage.Done) -> Any:
    if isinstance(done, lineage.Joined):
        return JoinedForm(other=origin_to_form(done.other))
    if isinstance(done, lineage.Distilled):
        return DistilledForm(
            of=origin_to_form(done.of),
            fidelity=done.fidelity,
            rows=done.rows,
            made=done.made,
            by=done.by,
            alpha=done.alpha,
            quantile=done.quantile,
        )
    return write_form(done)


def origin_from_form(form: OriginForm) -> Origin:
    """May raise `Misplaced`."""
    settings = at("settings", plain_from_json, form.settings)
    assert isinstance(settings, dict)
    return Origin(
        form.learner,
        settings,
        form.version,
        form.fingerprint,
        form.rows,
        at("after", _after, form.after),
        form.weights_are,
    )


def _after(forms: tuple[Any, ...]) -> tuple[lineage.Done, ...]:
    return tuple(at(i, _done, form) for i, form in enumerate(forms))


def _done(form: Any) -> lineage.Done:
    if isinstance(form, JoinedForm):
        return lineage.Joined(at("other", origin_from_form, form.other))
    if isinstance(form, DistilledForm):
        of = at("of", origin_from_form, form.of)
        return lineage.Distilled(of, form.fidelity, form.rows, form.made, form.by, form.alpha, form.quantile)
    done: lineage.Done = read_form(form)
    return done


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
    kind: AttributeKind
    values: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    cuts: tuple[Finite, ...] | msgspec.UnsetType = msgspec.UNSET
    because: str | msgspec.UnsetType = msgspec.UNSET


class SchemaForm(Form, frozen=True):
    """What each column was taken for; `weight` names the column of row weights, `read_as` says by column
    ("": of all) which value is read as which other, null being a missing cell."""

    columns: tuple[ColumnForm, ...]
    target: ColumnForm
    weight: str | None = None
    weights_are: WeightsAre | msgspec.UnsetType = msgspec.UNSET
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


# Whole files, of any kind.


def kind_named(name: object) -> Kind[Any]:
    """The kind of this name."""
    if not isinstance(name, str) or name not in KINDS:
        raise ModelFileError(no_such("kind of model", str(name), KINDS, plural="kinds"))
    return KINDS[name]


@cache
def file_form(name: str) -> Any:
    """The form of a whole file of this kind: the heading, then the body."""
    return msgspec.defstruct(
        f"{name.capitalize()}File",
        [*HEADING, ("body", KINDS[name].body)],
        bases=(Form,),
        tag=name,
        tag_field="model",
        forbid_unknown_fields=True,
        kw_only=True,
        frozen=True,
        gc=False,
    )


@cache
def any_file() -> Any:
    """The form of a file of any kind, told apart by its `model`."""
    return Union[tuple(map(file_form, KINDS))]  # noqa: UP007


def model_of(form: Any, name: str) -> Model:
    """The model in a file's form."""
    kind, heading = KINDS[name], heading_from_form(form)
    try:
        model: Model = kind.read(form.body, heading)
        return model
    except ModelFileError:
        raise
    except (ClearwoodError, TypeError) as error:
        raise ModelFileError(f"not {kind.called}: {error}") from None


def fields_of(model: Model) -> tuple[Kind[Any], dict[str, Any], Form]:
    """A model's kind, its heading and its body, as forms."""
    kind = kind_of(model)
    return kind, heading_to_form(model), kind.write(model)


# The published JSON Schema of model files, made from their forms.
#
# `python -m clearwood.models.files.heading` writes it; a test holds it to the forms.


PLACE: Final = Path(__file__).parents[1] / "model.schema.json"


def made_schema() -> dict[str, Any]:
    """The schema (draft 2020-12) of what is written now."""
    files = [file_form(name) for name in KINDS]
    refs, parts = msgspec.json.schema_components([*files, SchemaForm], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Clearwood model",
        "description": "A model as Clearwood saves it: plain data that stands alone, with its schema, its "
        "origin and how it decides.",
        "oneOf": list(refs[:-1]),
        "$defs": {name: _bare(part) for name, part in parts.items()},
    }


def schema_text() -> str:
    """The text of the published file."""
    return json.dumps(made_schema(), indent=1, ensure_ascii=False) + "\n"


def _bare(part: Any) -> Any:
    """Without bounds that every finite number keeps, and with sentences on one line."""
    if isinstance(part, dict):
        return {
            key: " ".join(each.split()) if key == "description" and isinstance(each, str) else _bare(each)
            for key, each in part.items()
            if not (key in ("minimum", "maximum") and isinstance(each, float) and abs(each) == MOST)
        }
    return [_bare(each) for each in part] if isinstance(part, list) else part


if __name__ == "__main__":
    PLACE.write_text(schema_text(), encoding="utf-8")
    sys.stdout.write(f"{PLACE}\n")
