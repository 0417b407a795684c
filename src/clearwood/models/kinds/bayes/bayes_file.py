"""A Bayes model in a file: one distribution a line, its sums exact."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, assert_never

from msgspec import Meta

from clearwood.models.files.forms import (
    SUM,
    Finite,
    Form,
    Misplaced,
    Weight,
    WholeNumber,
    at,
    check_reach,
    form_of,
    placed,
    read_form,
    row_from_json,
    row_to_json,
    write_form,
)
from clearwood.models.files.heading import Heading
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Exact,
    Gaussian,
    Kernel,
    Words,
)
from clearwood.table.text import TextReading

_COLUMN = {"name": "column"}
_SMOOTHING = Literal["laplace"] | Weight
_POINT = Annotated[tuple[Finite, SUM], Meta(extra={"demand": "must be a value and its weight"})]
_TWO = Annotated[tuple[int, int], Meta(extra={"demand": "must be two whole numbers"})]
_DOCUMENTS = Annotated[
    int | Finite,
    Meta(
        description="A whole number of texts, or, written with a decimal point, a share of them.",
        extra={"demand": "must be a whole number or a share"},
    ),
]

form_of(TextReading, ngrams=_TWO, min_documents=_DOCUMENTS, max_documents=_DOCUMENTS)
if TYPE_CHECKING:
    DistributionForm: TypeAlias = Any
else:
    DistributionForm = (
        form_of(Categorical, tag="categorical", rename=_COLUMN, smoothing=_SMOOTHING)
        | form_of(Cuts, tag="cuts", rename=_COLUMN, smoothing=_SMOOTHING)
        | form_of(Gaussian, tag="gaussian", rename=_COLUMN, floor=Weight)
        | form_of(Kernel, tag="kernel", rename=_COLUMN, points=tuple[tuple[_POINT, ...], ...], floor=Weight)
        | form_of(Bag, tag="bag", rename={"names": "columns"}, alpha=Weight)
        | form_of(
            Words, tag="words", rename=_COLUMN, texts=tuple[WholeNumber, ...], read=WholeNumber, alpha=Weight
        )
    )


class BayesForm(Form, frozen=True):
    """Naive Bayes: exact sums by class, from which every probability is worked out. `priors` estimated: each
    class's share of the rows; equal: the same for all; or a probability for each class. `classes` has the
    weight of each class's rows."""

    priors: Literal["estimated", "equal"] | tuple[Finite, ...]
    classes: tuple[SUM, ...]
    distributions: tuple[DistributionForm, ...]


def bayes_to_form(model: BayesTables) -> BayesForm:
    return BayesForm(
        priors=model.priors,
        classes=tuple(row_to_json(model.classes)),
        distributions=tuple(map(write_form, model.distributions)),
    )


def bayes_from_form(form: BayesForm, heading: Heading) -> BayesTables:
    try:
        classes = at("classes", row_from_json, form.classes)
        distributions = at("distributions", _distributions, form.distributions)
    except Misplaced as error:
        raise placed(error, "body") from None
    return BayesTables(
        heading.schema, classes, distributions, form.priors, heading.decision, heading.origin, heading.profile
    )


def _distributions(forms: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(at(i, _distribution, form) for i, form in enumerate(forms))


def _distribution(form: Any) -> Distribution:
    distribution: Distribution = read_form(form)
    match distribution:
        case Gaussian(_, weights, _, squares):
            pairs = zip(weights, squares, strict=False)  # of other lengths: refused with the schema at hand
            check_reach(_mean_square(weight, twice) for weight, twice in pairs if weight)
        case Kernel(_, points):
            at("points", _check_points, points)
        case Words(texts=texts, read=read):
            at("texts", check_reach, texts)
            at("read", check_reach, (read,))
        case Categorical() | Cuts() | Bag():
            pass  # of these no number can be out of reach
        case _:
            assert_never(distribution)
    return distribution


def _mean_square(weight: Exact, twice: Exact) -> Exact:
    return (
        twice // weight
        if isinstance(weight, int) and isinstance(twice, int)
        else Fraction(twice) / Fraction(weight)
    )


def _check_points(points: tuple[tuple[tuple[float, Any], ...], ...]) -> None:
    for c, of_class in enumerate(points):
        at(c, check_reach, [weight for _, weight in of_class])
        most = max((abs(value) for value, _ in of_class), default=0.0)
        at(c, check_reach, [Fraction(most) ** 2] * (1 if most < 1e150 else len(of_class)))
