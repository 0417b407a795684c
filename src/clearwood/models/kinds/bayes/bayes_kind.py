"""What Bayes tables answer about themselves."""

from typing import Final, assert_never

from clearwood.models.kinds.bayes.bayes_file import BayesForm, bayes_from_form, bayes_to_form
from clearwood.models.kinds.bayes.bayes_program import program_of_bayes
from clearwood.models.kinds.bayes.bayes_space import BayesSpace
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import account_of_bayes
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Gaussian,
    Kernel,
    Words,
)
from clearwood.models.kinds.kind import Kind, no_members, no_quantile
from clearwood.words.numbers import many


def _cells(distribution: Distribution) -> int:
    match distribution:
        case Categorical(_, counts) | Cuts(_, _, counts) | Bag(_, _, counts) | Words(_, _, _, counts):
            return sum(map(len, counts))
        case Gaussian(_, weights):
            return 2 * len(weights)  # a mean and a deviation for each class
        case Kernel(_, points):
            return sum(map(len, points))
        case _:
            assert_never(distribution)


BAYES: Final = Kind(
    model=BayesTables,
    called="a Bayes model",
    phrase="Bayes tables",
    title="A naive Bayes model",
    counts="Counts are",
    unit="columns",
    size=lambda tables: len(tables.columns),
    size_in_words=lambda tables: many(len(tables.columns), "column"),
    reading_size=lambda tables: sum(map(_cells, tables.distributions)),
    no_rules="A Bayes model has tables, not rules. Leave --rules out.",
    members=no_members,
    quantile=no_quantile,
    about=None,
    program=program_of_bayes,
    space=BayesSpace,
    account=account_of_bayes,
    body=BayesForm,
    write=bayes_to_form,
    read=bayes_from_form,
    lines=("distributions",),
)
