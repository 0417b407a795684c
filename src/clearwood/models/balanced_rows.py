"""Models of balanced rows: whose counts they print, and what cannot be mixed with them."""

from __future__ import annotations

from typing import Final, assert_never

from clearwood.errors import LearningError
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Ensemble
from clearwood.models.lineage import Balanced, Edited
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.origin import Origin
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.words.numbers import count_words

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
    what = f"{_printed(model)} of the training rows balanced by {done.by}"
    return f"{what} ({', '.join(named)}{more}){too_sure}."


def _printed(model: Model) -> str:
    match model:
        case Tree():
            return "Counts and intervals are"
        case RuleList() | BayesTables():
            return "Counts are"
        case LinearModel():
            return "Standard errors and tests are"
        case Ensemble():
            return "Errors while learning are"
        case AdditiveModel():
            return "Curves and their spread are"
        case _:
            assert_never(model)


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
