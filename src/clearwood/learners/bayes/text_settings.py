"""Settings of text: n-grams, stop words and limits, as a learner keeps them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clearwood.errors import SchemaError, SettingError
from clearwood.learners.bayes.stop_words import stop_words_of
from clearwood.registry import whole
from clearwood.table.text import check_documents


def ngrams_of(given: Any) -> tuple[int, int]:
    """The fewest and the most neighbours that count as one word."""
    try:
        few, many = given
    except (TypeError, ValueError):
        raise SettingError(
            f"ngrams must be two whole numbers, as in (1, 2) for words and pairs, not {given!r}."
        ) from None
    few = whole("ngrams", few, 1)
    return few, whole("ngrams", many, few)


def stop_list_of(given: Any) -> Any:
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
        raise SettingError(str(error)) from None
    return plain
