"""A ranking: the columns from the best to the worst, with their scores, and which of them to keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from clearwood.models.lineage import Plain
from clearwood.records import dataclass, json_of
from clearwood.words.columns import in_columns
from clearwood.words.numbers import in_digits, many, part_of


@dataclass(frozen=True, slots=True)
class RankedColumn:
    """A column, its score and rank (1 is the best), and whether it is kept; `figures` are by name."""

    name: str
    score: float
    rank: int
    kept: bool
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The columns, the best first, by a selector of the catalogue's list; `score` says what its scores are.

    `notes` say what was done on the way, such as cutting a numeric target.
    """

    by: str
    score: str
    target: str
    rows: int
    columns: tuple[RankedColumn, ...]
    settings: Mapping[str, Plain] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> RankedColumn:
        return next(each for each in self.columns if each.name == name)

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def kept(self) -> tuple[str, ...]:
        """The columns to keep, the best first."""
        return tuple(each.name for each in self.columns if each.kept)

    def to_json(self) -> dict[str, Any]:
        """As plain values, ready for `json.dumps`."""
        columns = [
            json_of(each, "figures", **({"figures": each.figures} if each.figures else {}))
            for each in self.columns
        ]
        settings = {name: _plain(value) for name, value in self.settings.items()}
        return json_of(self, settings=settings, kept=self.kept, columns=columns)

    def __str__(self) -> str:
        kept = part_of(len(self.kept), len(self.columns), "column")
        head = f"{self.by}: {kept} kept for {self.target}, by {many(self.rows, 'row')}"
        figures = list(dict.fromkeys(name for each in self.columns for name in each.figures))
        lines = [["column", "rank", self.score, *figures, "kept"]]
        for each in self.columns:
            given = [in_digits(each.figures[name]) if name in each.figures else "" for name in figures]
            lines.append(
                [each.name, str(each.rank), in_digits(each.score), *given, "yes" if each.kept else ""]
            )
        return "\n".join([head, *in_columns(lines, "figures"), *self.notes])


def _plain(value: Plain) -> Any:
    """A setting for JSON; a learner within settings as its name."""
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


# A selector as the list has it: its function, a line about it, and what its scores are.


@dataclass(frozen=True, slots=True)
class ColumnScore:
    """A column's score, other figures about it by name, and whether a selector that chooses would keep it."""

    name: str
    score: float
    figures: Mapping[str, float] = field(default_factory=dict)
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class ColumnOrder:
    """The columns, the best first, and what there is to say about how they were ordered."""

    columns: tuple[ColumnScore, ...]
    notes: tuple[str, ...] = ()


OrderOf: TypeAlias = Callable[..., ColumnOrder]  # (rows, keep, **settings)


@dataclass(frozen=True, slots=True)
class Selector:
    """`order` takes rows with a known target, the number of columns to keep or None, and its settings.

    A selector that `chooses` says itself how many columns to keep where nobody does; of another's order,
    those above 0 are kept. `of_numbers`: may the target be a number? `needs_learner`: it tries a learner,
    which has to be given.
    """

    order: OrderOf
    about: str
    score: str
    chooses: bool = False
    of_numbers: bool = True
    needs_learner: bool = False


def best_first(columns: Sequence[ColumnScore]) -> tuple[ColumnScore, ...]:
    """By score; of equally good ones the first of the schema is the first here."""
    return tuple(sorted(columns, key=lambda each: -each.score))
