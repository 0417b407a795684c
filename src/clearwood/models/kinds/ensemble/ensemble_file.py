"""An ensemble in a file: trees as packed columns, members of other kinds as the bodies of their own files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from clearwood.errors import ClearwoodError, ModelFileError
from clearwood.models.decision import Decision
from clearwood.models.files.forms import Finite, Form, Misplaced, at, form_of, placed, shape_of, without_point
from clearwood.models.files.heading import Heading
from clearwood.models.kinds.bayes.bayes_file import BayesForm
from clearwood.models.kinds.ensemble.ensemble import Combined, Ensemble, LearningCurve, Link
from clearwood.models.kinds.ensemble.trees_file import TreesForm, trees_from_form, trees_to_form
from clearwood.models.kinds.kind import KINDS, kind_of
from clearwood.models.kinds.linear.linear_file import LinearForm
from clearwood.models.kinds.rules.rules_file import RulesForm
from clearwood.models.kinds.tree.tree_file import TreeForm
from clearwood.models.lineage import Origin

if TYPE_CHECKING:
    CurveForm: TypeAlias = Any
else:
    CurveForm = form_of(LearningCurve)


def curves_to_form(curves: tuple[LearningCurve, ...]) -> tuple[Any, ...]:
    write = shape_of(LearningCurve).write
    assert write is not None
    return tuple(map(write, curves))


def curves_from_form(forms: tuple[Any, ...], where: str) -> tuple[LearningCurve, ...]:
    """The curves that stand at this place of the file."""
    read = shape_of(LearningCurve).read
    assert read is not None
    try:
        return tuple(at(place, read, each) for place, each in enumerate(forms))
    except Misplaced as error:
        raise placed(error, where) from None


class TreeMember(Form, frozen=True, tag="tree", tag_field="model"):
    """A tree among members of several kinds."""

    body: TreeForm


class RulesMember(Form, frozen=True, tag="rules", tag_field="model"):
    """A rule list."""

    body: RulesForm


class BayesMember(Form, frozen=True, tag="bayes", tag_field="model"):
    """A Bayes model."""

    body: BayesForm


class LinearMember(Form, frozen=True, tag="linear", tag_field="model"):
    """A linear model."""

    body: LinearForm


MemberForm: TypeAlias = TreeMember | RulesMember | BayesMember | LinearMember

MEMBER_FORMS: Final[dict[str, Any]] = {
    "tree": TreeMember,
    "rules": RulesMember,
    "bayes": BayesMember,
    "linear": LinearMember,
}


class EnsembleForm(Form, frozen=True):
    """Members whose predictions are combined: by the `mean` of their probabilities or numbers, by `votes`, or
    by a `sum` of steps from `base` on, of which `link` makes shares or a number. `weights` by member; none: 1
    each. The members are `trees`, or `models` of other kinds. `curves` are scores by the number of members.
    `quantile` is the one that a sum of numbers predicts; null: their mean."""

    combined_by: Combined
    link: Link
    base: tuple[Finite, ...]
    weights: tuple[Finite, ...]
    curves: tuple[CurveForm, ...]
    trees: TreesForm | None
    models: tuple[MemberForm, ...]
    quantile: Finite | None


def ensemble_to_form(model: Ensemble) -> EnsembleForm:
    return EnsembleForm(
        combined_by=model.combined_by,
        link=model.link,
        base=tuple(map(without_point, model.base)),
        weights=tuple(map(without_point, model.weights)),
        curves=curves_to_form(model.curves),
        trees=None if model.trees is None else trees_to_form(model.trees, model.schema),
        models=tuple(MEMBER_FORMS[each.kind](body=kind_of(each).write(each)) for each in model.models),
        quantile=model.quantile,
    )


def ensemble_from_form(form: EnsembleForm, heading: Heading) -> Ensemble:
    factors = () if form.combined_by == "sum" else heading.decision.factors
    models = []
    for place, each in enumerate(form.models):
        origin = Origin(f"member {place + 1} of {heading.origin.learner}")
        own = Heading(heading.schema, origin, Decision(factors=factors), None)
        try:
            models.append(KINDS[str(each.__struct_config__.tag)].read(each.body, own))
        except (ClearwoodError, TypeError) as error:
            # The place of a member's own file begins with its body.
            own_place = str(error).startswith("body")
            rest = str(error).removeprefix("body") if own_place else f": {error}"
            raise ModelFileError(f"body.models[{place}].body{rest}") from None
    return Ensemble(
        heading.schema,
        None if form.trees is None else trees_from_form(form.trees, heading.schema),
        tuple(models),
        tuple(map(float, form.weights)),
        form.combined_by,
        tuple(map(float, form.base)),
        form.link,
        curves_from_form(form.curves, "body.curves"),
        heading.decision,
        heading.origin,
        heading.profile,
        form.quantile,
    )
