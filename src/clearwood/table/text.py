"""How a text becomes words: the tokens, the n-grams and the limits that a model keeps beside its counts."""

import math

from clearwood import _native
from clearwood.errors import SchemaError
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True)
class TextReading:
    """Which words of a text count.

    Words are runs of letters, digits and the marks on them, apostrophes within included; each ideograph and
    kana, each emoji with what is joined to it, is a word. `lower` folds their case. Stop words are taken out,
    then `ngrams` of so many to so many neighbours are made. A word is used if at least `min_documents` and at
    most `max_documents` of the texts hold it, and it is among the `most_words` most frequent: a whole number
    counts texts, a fraction is a share of them.
    """

    lower: bool = True
    ngrams: tuple[int, int] = (1, 1)
    stop_words: tuple[str, ...] = ()  # ascending, each once
    min_documents: int | float = 1
    max_documents: int | float = 1.0
    most_words: int | None = None

    def __post_init__(self) -> None:
        if type(self.lower) is not bool:
            raise SchemaError(f"lower must be True or False, not {self.lower!r}.")
        whole = len(self.ngrams) == 2 and all(type(each) is int for each in self.ngrams)
        if not whole or not 1 <= self.ngrams[0] <= self.ngrams[1]:
            raise SchemaError(f"ngrams must be two whole numbers from 1, as in (1, 2), not {self.ngrams!r}.")
        if list(self.stop_words) != sorted(set(self.stop_words)):
            raise SchemaError("Stop words must be in ascending order, each once.")
        for name, limit in (("min_documents", self.min_documents), ("max_documents", self.max_documents)):
            check_documents(name, limit)
        if self.most_words is not None and (type(self.most_words) is not int or self.most_words < 1):
            raise SchemaError(f"most_words must be a whole number from 1, or None, not {self.most_words!r}.")


def check_documents(name: str, limit: object) -> None:
    """Refuse what is neither a number of texts nor a share of them."""
    if type(limit) is int and limit >= 0:
        return
    if isinstance(limit, float) and math.isfinite(limit) and 0 <= limit <= 1:
        return
    raise SchemaError(
        f"{name} must be a whole number of texts, or a share of them from 0.0 to 1.0, not {limit!r}."
    )


def words_of(text: str | None, reading: TextReading | None = None) -> tuple[str, ...]:
    """The words and n-grams of a text in order, short ones first; none of a missing one.

    >>> words_of("Don’t panic: it's 9am 🙂")
    ("don't", 'panic', "it's", '9am', '🙂')
    >>> words_of("to be or not", TextReading(ngrams=(1, 2), stop_words=("or", "to")))
    ('be', 'not', 'be not')
    """
    how = TextReading() if reading is None else reading
    return _native.words_of([text], how.lower, how.ngrams, list(how.stop_words))
