"""What a linear model answers about itself."""

from typing import Final

from clearwood.models.kinds.kind import Kind, no_members, no_quantile
from clearwood.models.kinds.linear.linear_file import LinearForm, linear_from_form, linear_to_form
from clearwood.models.kinds.linear.linear_model import LinearModel, weights_about
from clearwood.models.kinds.linear.linear_program import account_of_linear, program_of_linear
from clearwood.models.kinds.linear.linear_space import LinearSpace
from clearwood.words.numbers import many


def _size(model: LinearModel) -> int:
    return len(model.contrasts) * len(model.terms)


LINEAR: Final = Kind(
    model=LinearModel,
    called="a linear model",
    phrase="a linear model",
    title="A logistic regression",
    counts="Standard errors and tests are",
    unit="weights",
    size=_size,
    size_in_words=lambda model: many(_size(model), "weight"),
    reading_size=_size,
    no_rules="A linear model is a sum of weights; it cannot be read as rules.",
    members=no_members,
    quantile=no_quantile,
    about=weights_about,
    program=program_of_linear,
    space=LinearSpace,
    account=account_of_linear,
    body=LinearForm,
    write=linear_to_form,
    read=linear_from_form,
    lines=("terms",),
)
