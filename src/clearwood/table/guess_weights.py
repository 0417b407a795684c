"""What a column of weights probably means, where nobody says: counts of equal rows, or sampling weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.advice import Advice, Sentence
from clearwood.table.raw import RawColumn, RawNumbers
from clearwood.table.weights import Weights, WeightsAre
from clearwood.words.numbers import many

_MISSING: Final = np.uint64(0x7FF8000000000001)  # one pattern for every NaN
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no two sums become one by multiplying
_HALF: Final = np.uint64(32)

Bits: TypeAlias = npt.NDArray[np.uint64]  # [row] one pattern a value


def guess_weights_are(weights: Weights, others: Sequence[RawColumn]) -> tuple[WeightsAre, str]:
    """The meaning and the reason; `others` are the columns that tell rows apart.

    Counted rows are put together until no two are equal: where two are, or a weight is not whole, the
    weights were given to rows that were drawn one by one.

    >>> x = RawNumbers(np.array([1.0, 1.0, 2.0]), whole=True)
    >>> guess_weights_are(np.array([5.0, 8.0, 2.0]), [x])
    ('sampling', 'rows 1 and 2 are equal apart from the weight')
    """
    whole = weights == np.rint(weights)
    if not whole.all():
        row = int(np.argmin(whole))
        return "sampling", f"they are not whole numbers (row {row + 1} has {weights[row]:.10g})"
    pair = _equal_rows([_patterns(column) for column in others], len(weights))
    if pair is None:
        return "counts", "they are whole numbers, and no two rows are equal apart from the weight"
    return "sampling", f"rows {pair[0] + 1:,} and {pair[1] + 1:,} are equal apart from the weight"


def note_of_guess(name: str, weights: Weights, weights_are: WeightsAre, because: str) -> str:
    """The guess in a sentence, with what it makes of the rows and the way to undo it."""
    other = "counts" if weights_are == "sampling" else "sampling"
    word = {"counts": "counts of equal rows", "sampling": "sampling weights", "importance": "importance"}
    return Sentence(
        f"The weights '{name}' are taken as {word[weights_are]}: {because}. "
        f"{many(len(weights), 'row').capitalize()} count as {float(weights.sum()):,.6g}. "
        f"If they are {word[other]}: ",
        Advice("weights_are", other),
        ".",
    )


def _equal_rows(columns: Sequence[Bits], rows: int) -> tuple[int, int] | None:
    """Two rows that are equal in every column, if there are such."""
    mixed = np.zeros(rows, dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column) * _FACTOR
        mixed ^= mixed >> _HALF
    order = np.argsort(mixed, kind="stable")
    for place in np.flatnonzero(mixed[order[1:]] == mixed[order[:-1]]).tolist():
        one, other = int(order[place]), int(order[place + 1])
        if all(column[one] == column[other] for column in columns):
            return one, other
    return None


def _patterns(column: RawColumn) -> Bits:
    if not isinstance(column, RawNumbers):
        return column.codes.astype(np.int64).view(np.uint64)
    values = column.values.astype(np.float64) + 0.0  # −0.0 becomes 0.0
    return np.where(np.isnan(values), _MISSING, values.view(np.uint64))
