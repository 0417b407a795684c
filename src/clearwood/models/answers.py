"""What the numbers of a leaf or rule mean: shares of classes, a mean, a median, or a step of an ensemble."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from clearwood.errors import SchemaError, no_such
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema

Answers: TypeAlias = Literal["shares", "mean", "median", "step"]
ANSWERS: Final[tuple[Answers, ...]] = get_args(Answers)


def check_answers(answers: Answers, schema: Schema) -> Answers:
    """What fits the target: where nothing else is said, numbers are means; medians are of numbers only.

    >>> from clearwood.table.attributes import Nominal
    >>> check_answers("shares", Schema((), Numeric("price")))
    'mean'
    >>> check_answers("shares", Schema((), Nominal("Play", ("No", "Yes"))))
    'shares'
    """
    if answers not in ANSWERS:
        raise SchemaError(no_such("meaning of predictions called", str(answers), ANSWERS, plural="meanings"))
    numeric = isinstance(schema.target, Numeric)
    if numeric and answers == "shares":
        return "mean"
    if not numeric and answers in ("mean", "median"):
        raise SchemaError(f"Leaves of classes hold probabilities, not a {answers}.")
    return answers
