"""The lines of a table of sums as texts, and read back: column, cell, and what it adds to each sum; then, in
a file that stands alone, how the sums are to be read."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from clearwood.errors import SettingError
from clearwood.explaining.curve_groups import AnotherValue
from clearwood.exporting.tables.lines import condition_of_cell, words_of_condition
from clearwood.exporting.tables.sum_reading import (
    BASE,
    DOUBLING,
    REFER,
    SumReading,
    cost_name,
    cutoff_name,
    factor_name,
    reading_from,
    statements_of,
)
from clearwood.exporting.tables.sum_table import EachUnit, SumCell, SumRow, SumTable
from clearwood.table.attributes import Attribute

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
    stated = [
        (name, value if isinstance(value, str) else figure_text(value))
        for name, value in statements_of(table.reading)
    ]
    return [["", name, *more, value, *rest] for name, value in ((HOW, how), *stated)]


@dataclass(frozen=True, slots=True)
class SumsWithReading:
    """A table read back from a file that stands alone, and the sentences of it."""

    table: SumTable
    how: str


def sums_with_reading(table: SumTable, lines: Sequence[Sequence[str]]) -> SumsWithReading:
    """The table of lines behind which its reading is stated."""
    wide = 4 if table.has_pairs else 2
    end = next((at for at, line in enumerate(lines) if list(line[:2]) == ["", HOW]), None)
    if end is None:
        raise SettingError(f"The table does not say how it is added up: a line '{HOW}'.")
    stated = {line[1]: line[wide] for line in lines[end + 1 :]}
    read = sums_from_lines(table, lines[:end])
    return SumsWithReading(replace(read, reading=reading_from(stated, table.reading)), lines[end][wide])


def sums_from_lines(
    table: SumTable, lines: Sequence[Sequence[str]], *, name: Callable[[str], str] = str
) -> SumTable:
    """The same table with what such lines say in place of its own; `name` reads a column's."""
    wide = 4 if table.has_pairs else 2
    first, *rest = lines
    if first[1] != START:
        raise SettingError(f"The first line must be what the sums start with, not '{first[1]}'.")
    rows = []
    for line in rows_of_cells(rest, wide):
        pairs = [(line[at], line[at + 1]) for at in range(0, wide, 2) if line[at] or line[at + 1]]
        cells = tuple(_cell(table.schema[name(column)], words) for column, words in pairs)
        rows.append(SumRow(cells, tuple(map(float, line[wide:]))))
    return replace(table, start=tuple(map(float, first[wide:])), rows=tuple(rows))


def rows_of_cells(lines: Sequence[Sequence[str]], wide: int) -> list[Sequence[str]]:
    """The lines, refused where one has no number."""
    for line in lines:
        if len(line) <= wide:
            raise SettingError(f"A line without a number: {', '.join(line)}.")
    return list(lines)


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


# How a table of sums is to be read: what is added up, how it becomes shares, and who answers.


FigureText: TypeAlias = Callable[[str], str]  # how the number of a statement is written, by its name


def how_to_add(table: SumTable, figure: FigureText | None = None) -> str:
    """The sentences that stand above such a table; `figure` writes their numbers, by default without loss."""
    text = "Begin with the first line, and add what each line gives that holds."
    if any(isinstance(cell, EachUnit) for row in table.rows for cell in row.cells):
        rounded = ", rounded, halves upwards" if table.rounded else ""
        text += f" “{EACH_UNIT}” is its number times the cell{rounded}, unless the cell is missing."
    if table.has_pairs:
        text += " Two cells that are not listed together add nothing."
    figure = figure or _own_figures(table.reading)
    return " ".join([text, _shares(table.reading, figure), *_answer(table.reading, figure)])


def _own_figures(reading: SumReading) -> FigureText:
    numbers = {name: value for name, value in statements_of(reading) if not isinstance(value, str)}
    return lambda name: figure_text(numbers[name])


def _shares(reading: SumReading, figure: FigureText) -> str:
    match reading.link:
        case "identity":
            return "The sum is the prediction."
        case "exp":
            return "The prediction is e^sum."
        case "points":
            power = f"({figure(BASE)} - S) / {figure(DOUBLING)}"
            return f"A sum of S points is a probability 1 / (1 + 2^({power})) of {reading.favours}."
        case "logistic" if not reading.decision.factors:
            return f"A sum S is a probability 1 / (1 + e^-S) of {reading.favours}."
        case "logistic" | "log odds" | "softmax":
            own = "" if reading.against is None else f"; the sum of {reading.against} is 0"
            factors = _factors(reading, figure)
            return f"A class's probability is e^sum{factors}, divided by the total of that of all{own}."
        case _:
            assert_never(reading.link)


def _factors(reading: SumReading, figure: FigureText) -> str:
    if not reading.decision.factors:
        return ""
    by_class = _by_class(reading, (figure(factor_name(each)) for each in reading.classes))
    return f" times its factor ({by_class})"


def _by_class(reading: SumReading, figures: Iterable[str]) -> str:
    return ", ".join(f"{name} {figure}" for name, figure in zip(reading.classes, figures, strict=True))


def _answer(reading: SumReading, figure: FigureText) -> list[str]:
    """Who answers, in a sentence or two; a number answers itself."""
    if not reading.classes:
        return []
    return [_who_answers(reading, figure), *_refer(reading, figure)]


def _who_answers(reading: SumReading, figure: FigureText) -> str:
    decision = reading.decision
    match decision.by:
        case "cutoff":
            assert decision.cutoff is not None
            positive = decision.cutoff.positive
            at = figure(cutoff_name(positive))
            return f"{positive} is predicted from a probability of {at} up, else the most likely other."
        case "costs":
            costs = "; ".join(
                f"where {true} is true, "
                + _by_class(reading, (figure(cost_name(each, true)) for each in reading.classes))
                for true in reading.classes
            )
            return f"The class of least expected cost is predicted. What predictions cost: {costs}."
        case "share":
            if reading.link == "points" and decision.refer is None:
                return f"Above {figure(BASE)} points {reading.favours} is predicted, else {reading.against}."
            return "The class with the largest probability is predicted."
        case _:
            assert_never(decision.by)


def _refer(reading: SumReading, figure: FigureText) -> list[str]:
    if reading.decision.refer is None:
        return []
    return [f"Where the largest probability is below {figure(REFER)} there is no prediction."]
