"""The rows that satisfy each condition of a rule list, and so each rule, as bits: 64 rows a word."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Bools, Floats, Ints
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Condition
from clearwood.models.kinds.rules.rule_list import Rule
from clearwood.predicting.of_rules import compiled_rules, condition_bitsets
from clearwood.table.schema import Schema
from clearwood.table.table import Table

BitWords: TypeAlias = npt.NDArray[
    np.uint64
]  # [word], or [condition or rule, word]; no bit beyond the last row

RulePositions: TypeAlias = npt.NDArray[np.intp]  # [place] a rule

MOST_BYTES: Final = 2**32


@dataclass(frozen=True, slots=True, eq=False)
class Satisfied:
    """Rule r has the conditions `members[starts[r]:starts[r + 1]]`, with rows `bits` [condition, word]."""

    rows: int
    conditions: tuple[Condition, ...]
    starts: Ints
    members: Ints
    bits: BitWords

    def when(self, rule: int) -> tuple[Condition, ...]:
        """The conditions of a rule."""
        return tuple(
            self.conditions[i] for i in self.members[self.starts[rule] : self.starts[rule + 1]].tolist()
        )

    def with_members(self, kept: Bools) -> Satisfied:
        """The same rules with only these of their conditions, [member]."""
        so_far = np.concatenate(([0], np.cumsum(kept))).astype(np.int32)
        return replace(self, starts=so_far[self.starts], members=self.members[kept])

    def in_order(self, rules: RulePositions) -> Satisfied:
        """Only these rules, in this order."""
        lengths = np.diff(self.starts)[rules]
        held = [self.members[self.starts[rule] : self.starts[rule + 1]] for rule in rules.tolist()]
        return replace(
            self,
            starts=np.concatenate(([0], np.cumsum(lengths))).astype(np.int32),
            members=np.concatenate([np.empty(0, dtype=np.int32), *held]),
        )

    def covered(self) -> BitWords:
        """[rule, word] the rows that satisfy every condition of each rule; refused beyond 4 GB."""
        check_size(len(self.starts) - 1, "rules", self.rows)
        bits = np.empty((len(self.starts) - 1, self.bits.shape[1]), dtype=np.uint64)
        for rule in range(len(bits)):
            held = self.members[self.starts[rule] : self.starts[rule + 1]]
            bits[rule] = np.bitwise_and.reduce(self.bits[held]) if len(held) else all_rows(self.rows)
        return bits


def satisfied(schema: Schema, rules: Iterable[Rule], table: Table) -> Satisfied:
    """Every different condition asked of every row, once.

    It takes rows × conditions ÷ 8 bytes, and is refused beyond 4 GB.
    """
    flat = compiled_rules(schema, (rule.when for rule in rules))
    check_size(len(flat.conditions), "conditions", len(table))
    return Satisfied(
        len(table),
        flat.conditions,
        flat.start.astype(np.int32),
        flat.condition,
        condition_bitsets(schema, flat, table),
    )


def check_size(number: int, what: str, rows: int) -> None:
    """Refuse sets of rows that together are too large."""
    size = number * rows // 8
    if size > MOST_BYTES:
        raise SettingError(
            f"{number:,} {what} over {rows:,} rows take {size / 2**30:.1f} GB as bits;"
            f" the limit is {MOST_BYTES / 2**30:.0f} GB. Take a part of the rows: hold_out(table, …)."
        )


def taken(covered: BitWords, rows: int) -> tuple[BitWords, BitWords]:
    """[rule, word] the rows each rule is the first to cover, and [word] those that none covers.

    >>> taken(np.array([[0b011], [0b110]], dtype=np.uint64), 4)
    (array([[3],
           [4]], dtype=uint64), array([8], dtype=uint64))
    """
    own, left = np.empty_like(covered), all_rows(rows)
    for rule, bits in enumerate(covered):
        np.bitwise_and(bits, left, out=own[rule])
        left &= ~bits
    return own, left


def weights_by_class(sets: BitWords, target: Ints, weights: Floats | None, classes: int) -> Floats:
    """[set, word] sets of rows → [set, class] their weights; `target` [row] is a class."""
    singles = np.arange(len(sets) + 1, dtype=np.int32)
    weights_of = _native.count_by_condition(sets, singles, singles[:-1], target, weights, classes)
    return np.ascontiguousarray(weights_of[:, 0])


def all_rows(rows: int) -> BitWords:
    """[word] the bits of all rows."""
    return as_bits(np.ones(rows, dtype=np.bool_))


def as_bits(chosen: Bools) -> BitWords:
    """[row] truth values → [word]; row 0 is the lowest bit of word 0."""
    packed = np.zeros((len(chosen) + 63) // 64 * 8, dtype=np.uint8)
    bits = np.packbits(chosen, bitorder="little")
    packed[: len(bits)] = bits
    return packed.view("<u8").astype(np.uint64, copy=False)


def as_truths(bits: BitWords, rows: int) -> Bools:
    """[word] → [row] truth values."""
    packed = np.ascontiguousarray(bits).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(packed, count=rows, bitorder="little").view(np.bool_)
