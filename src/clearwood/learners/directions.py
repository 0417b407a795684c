"""Directions: a rise of the column may only raise, or only lower, the probability of a class that is named.

`monotone={"duration": "up:bad"}`, on the command line `--set monotone=duration:up:bad`. Of a number that is
predicted no class is named. Without a class, of two, it is the positive one, as it is guessed everywhere
(`scoring/positive.py`): no order of rows or classes has a part in it, and a warning says which it is.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import numpy as np

from clearwood.bounds import Checked
from clearwood.errors import Advice, ClearwoodWarning, LearningError, Sentence, SettingError, no_such
from clearwood.records import dataclass
from clearwood.registry import set_otherwise
from clearwood.table.attributes import Ignored, Nominal, Ordinal, Text
from clearwood.table.table import Table

Monotone: TypeAlias = Mapping[str, str] | None
_MARGIN: Final = 1e-10  # of a probability, or of the span of the numbers: what is nearer may be rounding
L = TypeVar("L")


@dataclass(frozen=True, slots=True)
class ColumnDirection:
    """A column and what its rise does; `of` is the class whose probability is meant, empty of a number.

    >>> str(ColumnDirection("duration", up=True, of="bad")), str(ColumnDirection("age", up=False))
    ('the probability of bad never falls as duration rises', 'the prediction never rises as age rises')
    """

    column: str
    up: bool
    of: str = ""

    @property
    def text(self) -> str:
        """As it is given."""
        return ("up" if self.up else "down") + (f":{self.of}" if self.of else "")

    def sign(self, of: str = "") -> int:
        """1 where a score that stands for this class never falls, −1 where it never rises; for two classes.

        >>> ColumnDirection("duration", up=True, of="bad").sign("good")
        -1
        """
        return 1 if self.up == (self.of == of) else -1

    def __str__(self) -> str:
        what = f"the probability of {self.of}" if self.of else "the prediction"
        return f"{what} never {'falls' if self.up else 'rises'} as {self.column} rises"


def check_directions(name: str, value: Any) -> Any:
    """Directions by column, or a refusal with the way to write them."""
    if not isinstance(value, Mapping) or not all(isinstance(column, str) for column in value):
        raise SettingError(f"{name} gives columns a direction, as in {{'age': 'up:yes'}}, not {value!r}.")
    for column, how in value.items():
        if how in (1, -1, "1", "-1"):
            word = "up" if int(how) > 0 else "down"
            raise SettingError(
                f"{name}: {how} says nothing of a class. Say of which class the probability goes {word} as "
                f"{column} rises: ",
                Advice("monotone", {column: f"{word}:CLASS"}, setting=True),
                f"; of a number, {word} alone.",
            )
        if not isinstance(how, str) or how.partition(":")[0] not in ("up", "down"):
            raise SettingError(
                f"{name}: {column} must go up or down, with the class whose probability does, as in ",
                Advice("monotone", {column: "up:yes"}, setting=True),
                f", not {how!r}.",
            )
    return dict(value)


Directions: TypeAlias = Annotated[
    Monotone,
    Checked(check_directions),
    "Columns whose rise may only raise (up) or lower (down) the probability of a class: COLUMN:up:CLASS.",
]


def directions_of(
    monotone: Monotone, rows: Table, *, of_numbers: bool = False
) -> tuple[ColumnDirection, ...]:
    """What is asked for, each with its class; refused of columns without an order, and of many classes.

    With `of_numbers` it is refused of values in an order, too: each has a weight of its own there.
    """
    if not monotone:
        return ()
    schema = rows.schema
    classes = schema.classes
    made = []
    for column, how in monotone.items():
        if column not in schema.positions:
            raise SettingError(f"monotone: {no_such('column', column, schema.positions)}")
        if of_numbers and isinstance(schema[column], Nominal | Ordinal):
            raise LearningError(
                f"monotone: '{column}' is {schema[column].kind}, and here each of its values has a "
                "weight of its own. Leave it out, or give the column as numbers."
            )
        if isinstance(schema[column], Nominal | Text | Ignored):
            raise LearningError(
                f"monotone: the values of '{column}' have no order. Declare it ordinal, or leave it out."
            )
        word, _, of = how.partition(":")
        if of and of not in classes:
            if not classes:
                raise SettingError(
                    f"monotone: the target is a number and has no class '{of}'. Leave the class out: ",
                    Advice("monotone", {column: word}, setting=True),
                    ".",
                )
            raise SettingError(f"monotone: {no_such('class', of, classes, plural='classes')}")
        if len(classes) > 2:
            raise LearningError(
                "monotone: a direction needs a number or two classes: of more, a probability depends on all "
                "classes' scores, and need not rise with its own. Leave it out."
            )
        made.append(ColumnDirection(column, word == "up", of or (_guessed(rows) if classes else "")))
    return tuple(made)


def learned_directions(settings: Mapping[str, Any]) -> tuple[ColumnDirection, ...]:
    """Those that a model was learned under, by its settings, in which every class is named.

    >>> [str(each) for each in learned_directions({"monotone": {"age": "down:yes"}, "bags": 3})]
    ['the probability of yes never rises as age rises']
    """
    monotone = settings.get("monotone")
    if not isinstance(monotone, Mapping):
        return ()
    parted = {column: str(how).partition(":") for column, how in monotone.items()}
    return tuple(ColumnDirection(column, word == "up", of) for column, (word, _, of) in parted.items())


def directions_in_words(settings: Mapping[str, Any]) -> list[str]:
    """The line that a model's text has of them, if there are any."""
    learned = learned_directions(settings)
    return [f"Learned so that {'; '.join(map(str, learned))}."] if learned else []


def directed(learner: L, positive: str | None) -> L:
    """The learner with this class in every direction that names none.

    >>> from clearwood.learners.trees.cart import CART
    >>> directed(CART(monotone={"age": "up", "price": "down:no"}), "yes").monotone
    {'age': 'up:yes', 'price': 'down:no'}
    """
    monotone: Monotone = getattr(learner, "monotone", None)
    if not monotone or not positive or all(":" in how for how in monotone.values()):
        return learner
    named = {column: how if ":" in how else f"{how}:{positive}" for column, how in monotone.items()}
    return set_otherwise(learner, monotone=named)


def with_directions(learner: L, rows: Table) -> L:
    """The learner with every class named, so that its folds mean the one that all rows make it guess."""
    monotone: Monotone = getattr(learner, "monotone", None)
    if not monotone:
        return learner
    alone: bool = getattr(learner, "directs_numbers_alone", False)
    asked = directions_of(monotone, rows, of_numbers=alone)
    guessed = [each for each in asked if each.text != monotone[each.column]]
    if not guessed:
        return learner
    named = {each.column: each.text for each in asked}
    warnings.warn(
        Sentence(
            f"monotone names no class, so it is about {guessed[0].of}: "
            f"{'; '.join(map(str, guessed))}. To say so, or the other class: ",
            Advice("monotone", {guessed[0].column: guessed[0].text}, setting=True),
            ".",
        ),
        ClearwoodWarning,
        stacklevel=3,
    )
    return set_otherwise(learner, monotone=named)


def monotone_limits(learner: Any, rows: Table) -> MonotoneLimits | None:
    """What the trees of this learner keep to while they grow; None where it has no directions."""
    schema = rows.schema
    asked = directions_of(getattr(learner, "monotone", None), rows)
    if not asked:
        return None
    if learner.measure_for(rows.schema) == "absolute":
        raise LearningError(
            "monotone: by absolute errors a leaf predicts its median, which the limits on means do not keep "
            "in order. Use ",
            Advice("measure", "squared", setting=True),
            ", or leave it out.",
        )
    signs = [0] * len(schema.attributes)
    for each in asked:
        if isinstance(schema[each.column], Ordinal) and getattr(learner, "ordinal", "cut") == "values":
            raise LearningError(
                f"monotone: '{each.column}' is ordinal, and each of its values has a branch of its own here. "
                "Split it into low and high: ",
                Advice("ordinal", "cut", setting=True),
                ", or leave it out.",
            )
        signs[schema.positions[each.column]] = each.sign(schema.classes[-1] if each.of else "")
    if schema.classes:
        return MonotoneLimits(tuple(signs), _MARGIN, asked[0].of)
    known = np.asarray(rows.target, dtype=np.float64)[~np.isnan(rows.target)]
    span, size = np.ptp(known), np.abs(known).max()
    return MonotoneLimits(tuple(signs), float(_MARGIN * span + 8 * np.finfo(np.float64).eps * size))


def _guessed(rows: Table) -> str:
    from clearwood.scoring.positive import (
        guessed_positive,
    )  # late: a learner without directions needs no scores

    classes = rows.schema.classes
    known = rows.target >= 0
    weights = None if rows.weights is None else rows.weights[known]
    weights = np.bincount(rows.target[known], weights, minlength=len(classes)).astype(np.float64)
    return guessed_positive(classes, weights)[0]


# Limits: what a region's probability, or mean, must lie between, so that a tree only rises with a column.
#
# After a split on a column with a direction, the middle between its two sides bounds everything below either
# of them: whatever is asked there, no row of the lower side is given more than a row of the upper one. Every
# node keeps to its bounds, not the leaves alone, so that the tree goes one way wherever it is pruned.


Bounds: TypeAlias = tuple[float, float]
UNBOUNDED: Final[Bounds] = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class MonotoneLimits:
    """`signs` by position in the schema: 1 where the probability of the last class, or the mean, may only
    rise with the column, −1 where it may only fall, 0 where it is free.

    What is nearer to a bound than `margin`, or to the other side of its split, is not admitted: rounding
    decides nothing. Nothing is lost by that, for below two equal sides of such a split all would be equal.
    `of` is the class that is spoken of; of a number there is none.
    """

    signs: tuple[int, ...]
    margin: float
    of: str = ""

    def apply(self, attribute: int, bounds: Bounds) -> bool:
        """Is there anything that a split on this attribute must keep to here?"""
        return bool(self.signs[attribute]) or bounds != UNBOUNDED
