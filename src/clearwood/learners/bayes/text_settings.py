"""Settings of text: n-grams, stop words and limits, as a learner keeps them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, TypeAlias

from clearwood.bounds import Checked, whole
from clearwood.errors import SchemaError, SettingError
from clearwood.learners.bayes.stop_words import StopWords, stop_words_of
from clearwood.table.text import check_documents


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
