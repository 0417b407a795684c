"""Reading size: how much a person reads to know all of a model, counted alike for every kind.

The unit is one statement: a condition, a cell of a table, a weight, a step of a curve.
"""

from __future__ import annotations

from typing import Final

from clearwood.errors import LearningError
from clearwood.models.kept import check_kind
from clearwood.models.kinds.kind import kind_of
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.lineage import Balanced, Edited
from clearwood.models.model import Model
from clearwood.models.origin import Origin
from clearwood.words.numbers import count_words

SIZE_IN_WORDS: Final = "Size: conditions, cells, weights or steps to read"


def reading_size(model: Model) -> int:
    """The conditions of all leaves or rules, the cells of Bayes tables, weights, steps of curves and cells of
    pairs; of an ensemble those of all members. Of a single leaf, or of no rules, it is 0.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> reading_size(cw.ID3().learn(table)), reading_size(cw.NaiveBayes().learn(table))
    (9, 20)
    """
    check_kind("reading_size", model)
    return kind_of(model).reading_size(model)


# Models of balanced rows: whose counts they print, and what cannot be mixed with them.


_MOST: Final = 12  # classes that are named


def balanced_words(model: Model) -> list[str]:
    """A sentence that says whose the printed counts are, where the rows that were learned from had been
    balanced, and the rules not been counted again since."""
    after = model.origin.after
    if any(isinstance(done, Edited) and done.edit == "recount" for done in after):
        return []
    return [_sentence(model, done) for done in after if isinstance(done, Balanced)]


def _sentence(model: Model, done: Balanced) -> str:
    pairs = list(zip(model.schema.classes, done.before, done.after, strict=True))
    named = [f"{name} {count_words(one)} → {count_words(other)}" for name, one, other in pairs[:_MOST]]
    more = f", and {len(pairs) - _MOST:,} more" if len(pairs) > _MOST else ""
    too_sure = ", too sure where rows were made or repeated" if isinstance(model, LinearModel) else ""
    what = f"{kind_of(model).counts} of the training rows balanced by {done.by}"
    return f"{what} ({', '.join(named)}{more}){too_sure}."


def refuse_balanced(origin: Origin, what: str) -> None:
    """A sentence where a model counts balanced rows, and rows as they come would be counted beside them.

    >>> over = Balanced("over", (1.0, 9.0), (9.0, 9.0))
    >>> try:
    ...     refuse_balanced(Origin("ID3", after=(over,)), "Merging")
    ... except LearningError as error:
    ...     print(str(error)[:77])
    Merging counts rows as they come, and this model's were balanced by over: the
    """
    for done in origin.after:
        if isinstance(done, Balanced):
            raise LearningError(
                f"{what} counts rows as they come, and this model's were balanced by {done.by}: the counts "
                "would be of both. Do it as a part of learning, or learn again from all rows."
            )
