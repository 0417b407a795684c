"""Settings of Naive Bayes: what is set by column, value and class, as the model keeps it."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from clearwood.bounds import Checked, at_least, choice, whole
from clearwood.errors import SchemaError, SettingError, no_such
from clearwood.learners.training import check_priors
from clearwood.models.kinds.bayes.bayes_tables import ClassPriors
from clearwood.models.kinds.bayes.distributions import ValuePrior
from clearwood.registry import Letter, Priors
from clearwood.table.attributes import Attribute, Nominal, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.text import TextReading, check_documents, words_of

OfNumbers: TypeAlias = Literal["gaussian", "kernel", "cuts", "multinomial", "bernoulli", "complement"]
DistributionName: TypeAlias = Literal["categorical", OfNumbers]

_NAMES: Final = get_args(DistributionName)


def distributions_of(_: str, distributions: Any) -> dict[str, str] | None:
    """A distribution by column name."""
    if not isinstance(distributions, Mapping):
        raise SettingError(
            "distributions must be None or a word by column, as in {'Age': 'kernel'}, not"
            f" {distributions!r}."
        )
    return {
        str(name): choice(f"distributions[{name!r}]", kind, _NAMES) for name, kind in distributions.items()
    }


def value_priors_of(_: str, given: Any) -> str | dict[str, dict[str, float]]:
    """ "equal", "overall", or a share from 0 up by column and value."""
    if isinstance(given, str):
        return choice("m_prior", given, ("equal", "overall"))
    form = (
        "m_prior must be 'equal', 'overall' or probabilities by column and value, "
        "as in {'Wind': {'Weak': 0.6, 'Strong': 0.4}}"
    )
    if not isinstance(given, Mapping) or not all(isinstance(each, Mapping) for each in given.values()):
        raise SettingError(f"{form}, not {given!r}.")
    return {
        str(name): {
            str(value): at_least(f"m_prior[{name!r}][{value!r}]", share, 0) for value, share in shares.items()
        }
        for name, shares in given.items()
    }


ByColumn: TypeAlias = Annotated[
    Mapping[str, DistributionName] | None,
    Checked(distributions_of),
    "The distributions of single columns, as in numeric: COLUMN:WORD.",
]
ValuePriors: TypeAlias = Annotated[
    Literal["equal", "overall"] | Mapping[str, Mapping[str, float]],
    Letter("m_prior"),
    Checked(value_priors_of),
    "The prior probability of each value in smoothing: equal, overall (its share of all rows), or given.",
]


def value_prior(attribute: Attribute, given: ValuePriors) -> ValuePrior:
    """The prior of one column's values: every value given, as shares of their sum."""
    assert isinstance(attribute, Nominal | Ordinal)
    if isinstance(given, str):
        return given
    if attribute.name not in given:
        return "equal"
    shares = given[attribute.name]
    for value in (*shares, *attribute.values):
        if value not in attribute.values or value not in shares:
            where = attribute.values if value in shares else tuple(shares)
            raise SettingError(
                f"m_prior of '{attribute.name}': {no_such('value', value, where)} Give every value a "
                "probability."
            )
    together = sum(shares.values())
    if not together > 0:
        raise SettingError(f"m_prior of '{attribute.name}' sums to 0. Give some value a probability above 0.")
    return tuple(shares[value] / together for value in attribute.values)


def class_priors(schema: Schema, priors: Priors) -> ClassPriors:
    """The setting as the model keeps it: every class given, as shares of their sum."""
    if priors is None:
        return "estimated"
    if isinstance(priors, str):
        return "equal"
    check_priors(schema.classes, priors)
    together = sum(map(Fraction, priors.values()))  # exact: floats near the largest would sum to infinity
    return tuple(float(Fraction(priors[name]) / together) for name in schema.classes)


# Stop words: the small words of English that stand in any text, whatever it is about.


StopWords: TypeAlias = Literal["english"] | Iterable[str] | None

ENGLISH: Final = "english_stop_words.txt"  # beside this file


def stop_words_of(given: StopWords, *, lower: bool = True) -> tuple[str, ...]:
    """The words to leave out, ascending, each once; a phrase gives all its words.

    >>> stop_words_of(["The", "the", "of a"]), len(stop_words_of("english")) > 200
    (('a', 'of', 'the'), True)
    """
    if given is None:
        return ()
    if isinstance(given, str):
        if given != "english":
            raise SettingError(
                f"stop_words: {no_such('list called', given, ('english',))} Or give the words in a list."
            )
        given = (Path(__file__).with_name(ENGLISH).read_text(),)
    try:
        listed = tuple(given)
    except TypeError:
        raise SettingError(f"stop_words must be None, 'english' or a list of words, not {given!r}.") from None
    for word in listed:
        if not isinstance(word, str):
            raise SettingError(f"stop_words must be words, not {word!r}.")
    reading = TextReading(lower=lower)
    return tuple(sorted({stop_word for word in listed for stop_word in words_of(word, reading)}))


# Settings of text: n-grams, stop words and limits, as a learner keeps them.


def ngrams_of(name: str, given: Any) -> tuple[int, int]:
    """The fewest and the most neighbours that count as one word."""
    try:
        few, many = given
    except (TypeError, ValueError):
        raise SettingError(
            f"{name} must be two whole numbers, as in (1, 2) for words and pairs, not {given!r}."
        ) from None
    few = whole(name, few, 1)
    return few, whole(name, many, few)


def stop_list_of(_: str, given: Any) -> Any:
    """None, the name of a list, or the words as they were given."""
    several = isinstance(given, Iterable) and not isinstance(given, str)
    listed = tuple(given) if several else given
    stop_words_of(listed)
    return listed


def documents_of(name: str, limit: Any) -> int | float:
    """A whole number of texts, or a share of them."""
    plain: int | float = limit.item() if hasattr(limit, "item") else limit
    try:
        check_documents(name, plain)
    except SchemaError as error:
        raise SettingError(error.sentence) from None
    return plain


Ngrams: TypeAlias = Annotated[
    tuple[int, int],
    Checked(ngrams_of),
    "Count runs of neighbouring words, from the first number of words to the second.",
]
StopList: TypeAlias = Annotated[StopWords, Checked(stop_list_of), "Words to leave out: english, or a list."]
Texts: TypeAlias = Annotated[int | float, Checked(documents_of)]  # a number of them, or a share
