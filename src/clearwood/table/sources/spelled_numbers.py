"""Numbers as people write them: `1,200.00`, `8.120,57`, `1 200`, `0.5 %`, `$1,234.56`, `€ 1.234`, `71.5 kg`.

A column is taken so only if every known cell of it agrees, and is announced. What may mean two things, such
as `1,200` alone (a decimal comma?), stays as written until someone says which: decimal=',' or thousands=','.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import field, replace
from functools import cache
from typing import Final, Literal, TypeAlias

import numpy as np

from clearwood.errors import Advice, NamedOption, Sentence, SettingError
from clearwood.records import dataclass
from clearwood.table.raw import RawColumn, RawNumbers, RawStrings
from clearwood.words.numbers import with_and

AS_WRITTEN: Final = "none"  # the setting that takes no cell for such a number
_MARKS: Final = {",": "commas", ".": "points", " ": "blanks", "'": "apostrophes"}
_BLANKS: Final = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "’": "'"})
_CURRENCY: Final = (
    r"(?:US|CA|AU|NZ|HK|[ACRS])?\$|[€£¥₹₽₩₺₴₪฿₫₦₱]|kr\.?|zł|Fr\.|USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|NZD|SEK|NOK"
    r"|DKK|PLN|CZK|HUF|BRL|ZAR|RUB|TRY|KRW|MXN|SGD|HKD"
)
_UNIT: Final = (
    r"kg|g|mg|µg|mcg|lbs?|oz|km|m|cm|mm|mi|miles|ft|yd|km²|m²|cm²|sq ?ft|sqm|ha|l|ml|cl|dl|cc|ms|s|secs?"
    r"|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|wks?|months?|mos?|years?|yrs?|°|° ?C|° ?F|W|kW|MW"
    r"|kWh|MWh|hp|bhp|PS|Hz|kHz|MHz|GHz|kB|KB|MB|GB|TB|mm ?Hg|bpm|mg/d[lL]|g/d[lL]|mmol/[lL]|km/h|kmh|kph"
    r"|mph|m/s|kmpl|km/kg|rpm|Nm|psi|bar|kPa|hPa|kcal|cal|kJ|dB|ppm|pts?|points"
)
_MONEY: Final = re.compile(rf"([+-]?)\s*(?:({_CURRENCY})\s*)?([+-]?[\d.,' ]*\d[.,]?)\s*({_CURRENCY})?")
_MEASURED: Final = re.compile(rf"([+-]?[\d.,' ]*\d(?:[eE][+-]?\d+)?)\s*({_UNIT})")
_LIKE_A_NUMBER: Final = re.compile(
    rf"[\s(+-]*(?:{_CURRENCY})?[\s\d.,'’+\-eE]*(?:%|{_CURRENCY}|{_UNIT})?[\s)]*"
)
_FEW: Final = 20  # cells looked at before all are


Beside: TypeAlias = Literal["", "percent", "money", "unit"]


@dataclass(frozen=True, slots=True)
class _Spelling:
    """The mark between thousands ('' for none), the decimal mark, and what stands beside each number."""

    thousands: str
    decimal: str
    beside: Beside = ""


def check_thousands(thousands: str | None, decimal: str | None) -> None:
    """Refuse a mark between thousands that is none, or that is the decimal mark as well."""
    if thousands is not None and thousands not in (*_MARKS, AS_WRITTEN):
        raise SettingError(
            NamedOption("thousands"),
            f" must be ',', '.', ' ' or \"'\", or 'none' for cells as written; not {thousands!r}.",
        )
    if thousands is not None and thousands == decimal:
        raise SettingError(
            NamedOption("thousands"),
            " and ",
            NamedOption("decimal"),
            f" are both '{decimal}'. Change one of them.",
        )


def with_spelled_numbers(
    columns: Sequence[RawColumn], names: Sequence[str], decimal: str, thousands: str | None
) -> tuple[tuple[RawColumn, ...], list[tuple[str, str]]]:
    """The columns with those of spelled numbers as numbers, and (name, sentence) for each guessed."""
    if thousands == AS_WRITTEN:
        return tuple(columns), []
    ways = [_ways(column, decimal, thousands) for column in columns]
    # What one column settles holds for the others: where 1.5 is a number, 1,200 has no decimal comma.
    settled = {replace(way, beside="") for possible in ways for way, certain in possible if certain}
    if any(isinstance(column, RawNumbers) and not column.whole for column in columns) and decimal == ".":
        settled.add(_Spelling(",", "."))
    read: list[RawColumn] = []
    notes = []
    for column, name, possible in zip(columns, names, ways, strict=True):
        way = next((way for way, certain in possible if certain or replace(way, beside="") in settled), None)
        if way is not None and isinstance(column, RawStrings):
            numbers = _numbers(_cells(column), way)
            if numbers is not None:
                notes += [(name, note) for note in _notes(name, column, way, thousands)]
                column = column.as_numbers(numbers)
        read.append(column)
    return tuple(read), notes


def _cells(column: RawStrings) -> list[str]:
    return [value.translate(_BLANKS).strip() for value in column.values]


def _ways(column: RawColumn, decimal: str, thousands: str | None) -> list[tuple[_Spelling, bool]]:
    """The ways in which all cells may be written, and whether each can mean nothing else."""
    if isinstance(column, RawNumbers) or not all(map(_LIKE_A_NUMBER.fullmatch, column.values[:_FEW])):
        return []
    cells = [cell for cell in _cells(column) if cell]
    if not cells:
        return []
    beside = _what_is_beside(cells)
    known = [bare for cell in cells if (bare := _bare(cell, beside)) is not None]
    if len(known) < len(cells):
        return []
    lenient = thousands is not None
    if thousands is not None:
        point = decimal if decimal != thousands else "." if thousands == "," else ","
        ways = [_Spelling(thousands, point, beside)]
    else:
        other = "." if decimal == "," else ","
        ways = [_Spelling("", decimal, beside), _Spelling(",", ".", beside), _Spelling(".", ",", beside)]
        ways += [_Spelling(mark, point, beside) for mark in " '" for point in (decimal, other)]
        if beside == "money":  # no amount has thousandths
            ways = [way for way in ways if not any(cell[-4:-3] == way.decimal for cell in known)]
    return [
        (way, lenient or _is_certain(way, known, decimal)) for way in ways if _all_match(way, known, lenient)
    ]


def _what_is_beside(cells: Sequence[str]) -> Beside:
    """What stands beside the numbers of all cells; money may lack its sign in some."""
    if all(cell.endswith("%") for cell in cells):
        return "percent"
    head, (first, *_) = cells[:_FEW], cells
    if all(_money(cell) for cell in head) and any(_signs(cell) for cell in cells):
        return "money"
    measured = _MEASURED.fullmatch(first)
    if measured and all(cell.endswith(measured[2]) for cell in cells):
        return "unit"
    return ""


def _money(cell: str) -> re.Match[str] | None:
    """An amount, which in parentheses is negative."""
    return _MONEY.fullmatch(cell[1:-1].strip() if cell[:1] == "(" and cell[-1:] == ")" else cell)


def _signs(cell: str) -> str:
    """The sign of a currency that an amount has."""
    money = _money(cell)
    return (money[2] or money[4] or "") if money else ""


def _bare(cell: str, beside: Beside) -> str | None:
    """The number alone; None where something else stands beside it."""
    match beside:
        case "":
            return cell
        case "percent":
            return cell.removesuffix("%").rstrip()
        case "money":
            money = _money(cell)
            if money is None:
                return None
            number = (money[1] + money[3]).strip()
            return f"-{number}" if cell[:1] == "(" else number
        case "unit":
            measured = _MEASURED.fullmatch(cell)
            return measured[1].strip() if measured else None


def _all_match(way: _Spelling, cells: Sequence[str], lenient: bool) -> bool:
    pattern = _pattern(way, lenient)
    return all(map(pattern.fullmatch, cells[:_FEW])) and all(map(pattern.fullmatch, cells[_FEW:]))


@cache
def _pattern(way: _Spelling, lenient: bool) -> re.Pattern[str]:
    """Whole digits in groups, or few enough to need none; whoever names the mark may also leave it out."""
    group, point = re.escape(way.thousands), re.escape(way.decimal)
    plain = r"\d+" if lenient or not way.thousands else r"\d{1,3}"
    whole = rf"[1-9]\d{{0,2}}(?:{group}\d{{3}})+|{plain}" if way.thousands else plain
    power = "" if way.thousands else r"(?:[eE][+-]?\d+)?"
    return re.compile(rf"[+-]?(?:(?:{whole})(?:{point}\d*)?|{point}\d+){power}", re.ASCII)


def _is_certain(way: _Spelling, cells: Sequence[str], decimal: str) -> bool:
    """Can the mark mean nothing else? A comma or point may be a decimal mark, unless some cell tells."""
    if not way.thousands:
        return True
    if not any(way.thousands in cell for cell in cells):
        return False
    if way.thousands in " '" or (way.thousands == "." and decimal == ",") or way.beside == "money":
        return True
    return any(way.decimal in cell or cell.count(way.thousands) > 1 for cell in cells)


def _numbers(cells: Sequence[str], way: _Spelling) -> list[float] | None:
    """The number of each cell, NaN for an empty one; None if one is infinite."""
    numbers = []
    for cell in cells:
        plain = _bare(cell, way.beside) or ""
        plain = plain.replace(way.thousands, "") if way.thousands else plain
        number = float(plain.replace(way.decimal, ".")) if plain else math.nan
        if math.isinf(number):
            return None
        numbers.append(number + 0.0)  # −0 is 0
    return numbers


def _notes(name: str, column: RawStrings, way: _Spelling, thousands: str | None) -> list[str]:
    cells = _cells(column)
    marked = next((i for i, cell in enumerate(cells) if way.thousands and way.thousands in cell), None)
    at = 0 if marked is None else marked
    (number,) = _numbers([cells[at]], way) or [math.nan]
    example = f"'{column.values[at].strip()}' is read as {number:.15g}"
    mixed = ""
    if way.beside == "money":
        signs = list(dict.fromkeys(filter(None, map(_signs, cells))))
        kind = f"is money, in {with_and(signs)}"
        mixed = " Its currencies are not converted." if len(signs) > 1 else ""
    elif way.beside == "unit":
        measured = _MEASURED.fullmatch(cells[at])
        kind = f"is in {measured[2] if measured else ''}"
    elif marked is not None and thousands is None:
        in_percent = ", in percent" if way.beside == "percent" else ""
        kind = f"has {_MARKS[way.thousands]} between thousands{in_percent}"
    elif way.beside == "percent":
        kind = "is in percent"
    elif thousands is None:
        kind, example = "has no-break spaces around its numbers", "they are left out"
    else:
        return []
    values = Advice("kinds", {name: "nominal"})
    return [
        Sentence(f"Column '{name}' {kind}: {example}.{mixed} If its cells are not numbers: ", values, ".")
    ]


# Points in doubt: `1.200` between semicolons may be a decimal of three digits, or a German thousand.
#
# Such a column is read as decimals, and announced: a file of Germans that happens to hold only round
# amounts looks so. Between commas it is not in doubt, for there the point is the decimal mark as a rule.


FEW: Final = 20  # rows looked at before all are
_GROUPED: Final = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}", re.ASCII)
_SMALL: Final = re.compile(r"[+-]?\d{1,3}", re.ASCII)  # as written either way
_NAMED: Final = 3


@dataclass(slots=True)
class PointsInDoubt:
    """What is known of a file's columns, over all blocks of it: those settled need no second look."""

    settled: set[int] = field(default_factory=set)

    def notes(
        self,
        where: str,
        names: Sequence[str],
        columns: Sequence[RawColumn],
        first: Sequence[Sequence[bytes]],
        missing: Sequence[str],
    ) -> tuple[str, ...]:
        """A sentence for the columns newly in doubt; `first` are the cells of the first few rows."""
        doubtful: dict[str, str] = {}  # column → a cell
        for j, column in enumerate(columns):
            if j in self.settled:
                continue
            cell = _grouped_cell(column, [row[j] for row in first if j < len(row)], missing)
            if cell is None:
                continue
            self.settled.add(j)
            if cell:
                doubtful[names[j]] = cell
        if not doubtful:
            return ()
        listed = ", ".join(f"'{name}'" for name in list(doubtful)[:_NAMED])
        listed += f" and {len(doubtful) - _NAMED:,} more" if len(doubtful) > _NAMED else ""
        cell = next(iter(doubtful.values()))
        return (
            Sentence(
                f"{where}, column{'s' if len(doubtful) > 1 else ''} {listed}: cells such as '{cell}' are "
                f"read as decimals ({float(cell):.15g}). If the point stands between thousands: ",
                Advice("decimal", ","),
                " or ",
                Advice("thousands", "."),
                "; if it does not: ",
                Advice("decimal", "."),
                ".",
            ),
        )


def _grouped_cell(column: RawColumn, first: Sequence[bytes], missing: Sequence[str]) -> str | None:
    """A cell with such a point; '' if some cell says that points are decimal marks, or the column has no
    numbers; None if there is nothing to go by."""
    if not isinstance(column, RawNumbers):
        return "" if column.values else None
    sample = [cell.decode().strip() for cell in first]
    if not all(_fits(cell) for cell in sample if cell not in missing):
        return ""
    known = column.values[~np.isnan(column.values)]
    if not len(known):
        return None
    if (np.abs(known) >= 1000).any():
        return ""
    if column.texts is None:  # whole numbers, written plainly
        return None
    texts = column.texts().values
    if not all(map(_fits, texts)):
        return ""
    return next((text.strip() for text in texts if _GROUPED.fullmatch(text.strip())), None)


def _fits(cell: str) -> bool:
    return bool(_GROUPED.fullmatch(cell.strip()) or _SMALL.fullmatch(cell.strip()))
