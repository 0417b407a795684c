"""Origin and lineage in a file: how the model was made, and all that was done to it since, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import msgspec

from clearwood.models import lineage
from clearwood.models.files.forms import Form, WholeNumber, form_of, read_form, write_form
from clearwood.models.files.places import at
from clearwood.models.files.plain_values import plain_from_json, plain_to_json
from clearwood.models.origin import Origin


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
