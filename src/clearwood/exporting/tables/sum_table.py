"""A SumTable: lines with points or weights that a person adds up, of a scorecard or of a model; as texts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import Final, TypeAlias, assert_never

from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.explaining.curve_groups import AnotherValue, CellWords
from clearwood.explaining.scorecard import Scorecard
from clearwood.exporting.exportable import account_of_card
from clearwood.exporting.tables.lines import condition_of_cell, words_of_condition
from clearwood.exporting.tables.sum_reading import (
    AddsUp,
    FigureText,
    SumReading,
    reading_from,
    reading_of,
    sentences_of_reading,
    statements_of,
)
from clearwood.formulas.conditions import Equals, IsMissing, interval
from clearwood.models.account.account import AccountTerm, ColumnPlaces, Places, Slope
from clearwood.models.kinds.ensemble.ensemble import score_name
from clearwood.models.model import AdditiveModel, LinearModel, account_of
from clearwood.table.attributes import Attribute
from clearwood.table.schema import Schema

MOST_LINES: Final = 5000  # more of them nobody reads


@dataclass(frozen=True, slots=True)
class EachUnit:
    """Every unit of a number counts."""

    name: str


SumCell: TypeAlias = CellWords | EachUnit


@dataclass(frozen=True, slots=True)
class SumRow:
    """What a row adds to each sum where its cell, or two cells together, are as said."""

    cells: tuple[SumCell, ...]
    amounts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SumTable:
    """What each sum begins with, the lines, and how the sums are to be read; `names` are those of the sums.
    `rounded`: what units of a number come to is a whole number, halves upwards."""

    schema: Schema
    names: tuple[str, ...]
    start: tuple[float, ...]
    rows: tuple[SumRow, ...]
    reading: SumReading

    @property
    def rounded(self) -> bool:
        """Are points of units rounded?"""
        return self.reading.link == "points"

    @property
    def has_pairs(self) -> bool:
        """Are there lines of two columns?"""
        return any(len(row.cells) == 2 for row in self.rows)


def sum_table(of: AddsUp) -> SumTable:
    """The table of a scorecard, of a linear or of an additive model.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> made = sum_table(cw.scorecard(cw.Logistic(penalty="l2").learn(table)))
    >>> made.start, [(str(row.cells[0]), row.amounts) for row in made.rows[:2]]
    ((-25.0,), [('Outlook = Overcast', (39.0,)), ('Outlook = Rainy', (14.0,))])
    """
    account = account_of_card(of) if isinstance(of, Scorecard) else account_of(of)
    scored = list(account.scored)
    rows = [row for term in account.terms for row in _rows(term, scored, account.of_card)]
    return SumTable(of.schema, _names(of), tuple(account.start[scored].tolist()), tuple(rows), reading_of(of))


def _names(of: AddsUp) -> tuple[str, ...]:
    """What the sums are called."""
    match of:
        case Scorecard():
            return ("points",)
        case LinearModel():
            return tuple(f"log odds of {each}" for each in of.contrasts)
        case AdditiveModel():
            return tuple(score_name(of.schema, of.link, score) for score in range(len(of.base)))
        case _:
            assert_never(of)


def _rows(term: AccountTerm, scored: list[int], of_card: bool) -> Iterator[SumRow]:
    """The lines of what a column, or a pair, adds to each sum."""
    match term:
        case Slope(name, weights):
            yield SumRow((EachUnit(name),), tuple(weights[scored].tolist()))
            yield SumRow((IsMissing(name),), tuple(term.missing[scored].tolist()))
        case Places((side,), added):
            if added.any() or not of_card:
                for at, cell in _joined(side, added[:, scored]):
                    yield SumRow((cell,), tuple(added[at, scored].tolist()))
        case Places((down, across), added):
            table = added[:, scored].reshape(down.places, across.places, -1)
            seconds = _joined(across, table.transpose(1, 0, 2))
            for at, one in _joined(down, table):
                for beside, other in seconds:
                    amounts = tuple(table[at, beside].tolist())
                    if any(amounts):
                        yield SumRow((one, other), amounts)
        case _:
            raise AssertionError("a table holds weights and points")


def _joined(side: ColumnPlaces, added: Floats) -> list[tuple[int, CellWords]]:
    """The cells of a side, each with its place; neighbouring intervals that add the same by `added` [cell, ·]
    are one."""
    name, known = side.name, side.known
    if side.values is not None:
        values = [(at, Equals(name, value)) for at, value in enumerate(side.values)]
        return [*values, (known, IsMissing(name)), (known + 1, AnotherValue(name))]
    ends = (-inf, *side.cuts, inf)
    firsts = [at for at in range(known) if not at or (added[at] != added[at - 1]).any()]
    spans = pairwise([*firsts, known])
    intervals = [(first, interval(name, ends[first], ends[after])) for first, after in spans]
    return [*intervals, (known, IsMissing(name))]


# The lines as texts, and read back: column, cell, and what it adds to each sum; then, in a file that stands
# alone, how the sums are to be read.


START: Final = "start"
EACH_UNIT: Final = "each unit"
ANOTHER: Final = "another value"
HOW: Final = "how to add up"


def head_of_sums(table: SumTable) -> list[str]:
    """The names of the columns."""
    beside = ["and column", "and cell"] if table.has_pairs else []
    return ["column", "cell", *beside, *table.names]


def lines_of_sums(table: SumTable, *, name: Callable[[str], str] = str) -> list[list[str]]:
    """The lines, the first with what the sums begin with; numbers without loss. `name` writes a column's."""
    more = [""] * (2 * table.has_pairs)
    lines = [["", START, *more, *map(figure_text, table.start)]]
    for row in table.rows:
        cells = [text for cell in row.cells for text in (name(cell.name), _words(cell))]
        cells += more if len(row.cells) == 1 else []
        lines.append([*cells, *map(figure_text, row.amounts)])
    return lines


def lines_of_reading(table: SumTable, how: str) -> list[list[str]]:
    """How the sums are to be read: in the sentences `how`, then each thing by its name."""
    more, rest = [""] * (2 * table.has_pairs), [""] * (len(table.names) - 1)
    stated: list[tuple[str, str | float]] = [(HOW, how), *statements_of(table.reading)]
    texts = (value if isinstance(value, str) else figure_text(value) for _, value in stated)
    return [["", name, *more, text, *rest] for (name, _), text in zip(stated, texts, strict=True)]


def sums_with_reading(table: SumTable, lines: Sequence[Sequence[str]]) -> tuple[SumTable, str]:
    """The table of a file that stands alone, whose reading is stated behind its lines; and its sentences."""
    wide = 4 if table.has_pairs else 2
    end = next((at for at, line in enumerate(lines) if list(line[:2]) == ["", HOW]), None)
    if end is None:
        raise SettingError(f"The table does not say how it is added up: a line '{HOW}'.")
    stated = {line[1]: line[wide] for line in lines[end + 1 :]}
    read = sums_from_lines(table, lines[:end])
    return replace(read, reading=reading_from(stated, table.reading)), lines[end][wide]


def sums_from_lines(
    table: SumTable, lines: Sequence[Sequence[str]], *, name: Callable[[str], str] = str
) -> SumTable:
    """The same table with what such lines say in place of its own; `name` reads a column's."""
    wide = 4 if table.has_pairs else 2
    first, *rest = lines
    if first[1] != START:
        raise SettingError(f"The first line must be what the sums start with, not '{first[1]}'.")
    rows = []
    for line in rest:
        if len(line) <= wide:
            raise SettingError(f"A line without a number: {', '.join(line)}.")
        pairs = [(line[at], line[at + 1]) for at in range(0, wide, 2) if line[at] or line[at + 1]]
        cells = tuple(_cell(table.schema[name(column)], words) for column, words in pairs)
        rows.append(SumRow(cells, tuple(map(float, line[wide:]))))
    return replace(table, start=tuple(map(float, first[wide:])), rows=tuple(rows))


def how_to_add(table: SumTable, figure: FigureText | None = None) -> str:
    """The sentences that stand above such a table; `figure` writes their numbers, by default without loss."""
    text = "Begin with the first line, and add what each line gives that holds."
    if any(isinstance(cell, EachUnit) for row in table.rows for cell in row.cells):
        rounded = ", rounded, halves upwards" if table.rounded else ""
        text += f" “{EACH_UNIT}” is its number times the cell{rounded}, unless the cell is missing."
    if table.has_pairs:
        text += " Two cells that are not listed together add nothing."
    own = {
        name: figure_text(value) for name, value in statements_of(table.reading) if not isinstance(value, str)
    }
    return " ".join([text, *sentences_of_reading(table.reading, figure or own.__getitem__)])


def figure_text(number: float) -> str:
    """A number without loss, whole ones without a point.

    >>> figure_text(-38.0), figure_text(0.1 + 0.2)
    ('-38', '0.30000000000000004')
    """
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _words(cell: SumCell) -> str:
    match cell:
        case EachUnit():
            return EACH_UNIT
        case AnotherValue():
            return ANOTHER
        case _:
            words = words_of_condition(cell)
            return f'"{words}"' if words in (EACH_UNIT, ANOTHER, START, HOW) else words


def _cell(attribute: Attribute, words: str) -> SumCell:
    if words == EACH_UNIT:
        return EachUnit(attribute.name)
    if words == ANOTHER:
        return AnotherValue(attribute.name)
    condition = condition_of_cell(words, attribute)
    if condition is None:
        raise SettingError(f"A line of '{attribute.name}' says nothing of its cell.")
    return condition
