"""What is each column? A guess from its cells; every unusual one is announced, with the way to change it."""

import re
from collections.abc import Iterable
from typing import Final

import numpy as np

from clearwood.arrays import distinct
from clearwood.errors import Advice, Place, SchemaError, Sentence
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text, natural_order
from clearwood.table.coding import EXACT, as_strings, first_row
from clearwood.table.describe import excerpt
from clearwood.table.raw import NumberCells, RawColumn, RawNumbers, RawStrings, are_calendar, are_dates
from clearwood.table.schema import is_padded, number_in

MANY_VALUES: Final = 1000  # beyond this a nominal column is left out
MANY_CLASSES: Final = 100  # beyond this a nominal target is remarked on
FEW_NUMBERS: Final = 20  # a target of at most so many whole numbers is taken for classes
_FEW_CODES: Final = 5
_FEW_ROWS: Final = 8  # below this every value may differ by chance
_SAMPLE: Final = 1000
_WORDS_OF_TEXT: Final = 6.0

_WITH_COMMA = re.compile(r"[+-]?(\d+(,\d+)?|,\d+)([eE][+-]?\d+)?(\s*%)?")
_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")  # 1,200: thousands, or a decimal comma
_ID_NAME = re.compile(
    r"(^|.*[\W_])([Ii][Dd]|uuid|UUID|guid|GUID|key|rowid|row|index|serial|identifier)$"  # customer_id
    r"|.*[a-z](Id|ID|Key)$"  # customerId
)
_CODE_NAME = re.compile(
    r"(^|.*[\W_])(zip|zipcode|postcode|postal|plz|code|codes|cd|fips|sic|naics|icd)([\W_].*|$)", re.I
)


@dataclass(frozen=True, slots=True)
class Guess:
    """An attribute, the cells in the form it asks for, and the sentence to announce, if any."""

    attribute: Attribute
    column: RawColumn
    note: str | None = None


def guess_input(name: str, column: RawColumn) -> Guess:
    """What an input column is.

    >>> guess_input("id", RawNumbers(np.arange(1.0, 101.0), whole=True)).note
    "Column 'id' is left out: it numbers the rows. To keep it: kinds={'id': 'numeric'}."
    """
    if isinstance(column, RawStrings):
        return _guess_strings(name, column)
    reason = _why_no_quantity(name, column)
    if reason is not None:
        return _left_out(name, column, reason, "numeric")
    if column.padded:
        strings = as_strings(column)
        taken = _guess_strings(name, strings, are_codes=True)
        if isinstance(taken.attribute, Ignored):
            return taken
        example = min(filter(is_padded, strings.values), default=min(strings.values))
        codes = f"Column '{name}' holds codes such as '{example}', so it is nominal. To take it as numbers: "
        return Guess(taken.attribute, strings, _or_as(codes, name, "numeric"))
    rounded = _why_rounded(name, column)
    if rounded is not None:
        return Guess(Numeric(name), column, rounded)
    if column.whole and _CODE_NAME.match(name):
        codes = f"Column '{name}' is numeric, but its name suggests codes. To take it as codes: "
        return Guess(Numeric(name), column, _or_as(codes, name, "nominal"))
    return Guess(Numeric(name), column)


def guess_target(name: str, column: RawColumn) -> Guess:
    """What is to be predicted: classes or a number.

    >>> guess_target("y", RawNumbers(np.array([1.0, 0.0] * 10), whole=True)).attribute
    Nominal(name='y', values=('0', '1'))
    """
    if isinstance(column, RawStrings):
        return _classes(name, column)
    most = max(2, min(FEW_NUMBERS, len(column) // 10))
    few = column.whole and _count(column.values[:_SAMPLE]) <= most and 0 < _count(column.values) <= most
    if not (column.padded or few):
        return Guess(Numeric(name), column, _why_rounded(name, column))
    strings = as_strings(column)
    values = natural_order(strings.values)
    known = int(np.count_nonzero(strings.codes >= 0))
    if len(values) > max(FEW_NUMBERS, known / 2):
        raise _too_many_classes(name, len(values), known, "Choose another target")
    numbers = f"{len(values)} different whole number{'s' * (len(values) != 1)}"
    classes = f"Target '{name}' holds {numbers}, taken as classes. To predict it as a number: "
    note = _or_as(classes, name, "numeric")
    return Guess(Nominal(name, values), strings, note)


def remark_on_few_numbers(guesses: Iterable[Guess]) -> list[str]:
    """One sentence for all numeric columns of few whole numbers, which only a person can know to be codes."""
    few = {
        guess.attribute.name: guess.column.distinct
        for guess in guesses
        if isinstance(guess.attribute, Numeric)
        and isinstance(guess.column, RawNumbers)
        and guess.column.whole
        if guess.note is None
        and guess.column.distinct is not None
        and 2 < guess.column.distinct <= _FEW_CODES
    }
    if not few:
        return []
    columns = ", ".join(f"{name} ({count})" for name, count in few.items())
    first = next(iter(few))
    return [
        Sentence(
            f"Numeric, but with few different whole numbers: {columns}. If some are codes without an order: ",
            Advice("kinds", {first: "nominal"}, more=True),
            ".",
        )
    ]


def take_as_it_is(name: str, column: RawColumn) -> Guess:
    """Numbers as numeric, strings as nominal: no second thoughts, nothing left out."""
    if isinstance(column, RawNumbers):
        return Guess(Numeric(name), column)
    if column.dates:
        raise SchemaError(f"Column '{name}' holds dates. ", _DATE_ADVICE)
    return Guess(_categorical(name, column), column)


def _guess_strings(name: str, column: RawStrings, *, are_codes: bool = False) -> Guess:
    if column.declared and not column.dates:
        return Guess(_categorical(name, column), column)
    if are_dates(column):
        return _left_out(name, column, Sentence("it holds dates. ", _DATE_ADVICE), "nominal")
    different, known = len(column.values), int(np.count_nonzero(column.codes >= 0))
    if different == 0:
        return _left_out(name, column, "every cell is empty", "nominal")
    if different == 1 and known == len(column) > 1:
        return _left_out(name, column, f"every row says '{excerpt(column.values[0])}'", "nominal")
    mostly_different = known >= _FEW_ROWS and different > known / 2
    if (mostly_different or different > MANY_VALUES) and _words(column) >= _WORDS_OF_TEXT:
        free = f"Column '{name}' holds free text. To take it as values: "
        return Guess(Text(name), column, _or_as(free, name, "nominal"))
    stray = None if are_codes else _decimal_comma(name, column) or _stray(name, column)
    if known >= _FEW_ROWS and different == known:
        because = "every value is different, as in a name or identifier"
        return _left_out(name, column, _with_stray(because, stray), "nominal")
    if different > MANY_VALUES or (mostly_different and different > 30):
        because = f"it has {different:,} different values in {known:,} rows"
        return _left_out(name, column, _with_stray(because, stray), "nominal")
    return Guess(_categorical(name, column), column, stray and stray + ".")


def _classes(name: str, column: RawStrings) -> Guess:
    different, known = len(column.values), int(np.count_nonzero(column.codes >= 0))
    attribute = _categorical(name, column)
    if column.declared:
        return Guess(attribute, column)
    if are_dates(column):
        raise SchemaError(f"Target '{name}' holds dates. ", _DATE_ADVICE)
    stray = _decimal_comma(name, column) or _stray(name, column)
    if different > max(FEW_NUMBERS, known / 2):
        raise _too_many_classes(name, different, known, stray or "Choose another target")
    if different > MANY_CLASSES:
        note = f"Target '{name}' has {different:,} classes; a tree with so many is hard to read."
        return Guess(attribute, column, note)
    return Guess(attribute, column, stray and stray + ".")


def _too_many_classes(name: str, different: int, known: int, way_out: str) -> SchemaError:
    return SchemaError(
        f"Target '{name}' has {different:,} different values in {known:,} rows: too many to be classes. ",
        way_out,
        ", or insist with ",
        Advice("kinds", {name: "nominal"}),
        ".",
        place=Place(column=name),
    )


def _why_no_quantity(name: str, column: RawNumbers) -> str | None:
    """Most columns are cleared by their first cells, so the rest is not looked at."""
    values = column.values
    head = values[:_SAMPLE]
    known = head[~np.isnan(head)]
    if known.size == 0 and bool(np.isnan(values).all()):
        return "every cell is empty"
    if (
        len(values) > 1
        and known.size == head.size
        and (head == head[0]).all()
        and (values == values[0]).all()
    ):
        return f"every row says {column.values[0] + 0.0:g}"
    if not column.whole or known.size == 0 or len(values) < _FEW_ROWS:
        return None
    if known.size == head.size and _number_rows(head, len(values)) and _number_rows(values, len(values)):
        return "it numbers the rows"
    if _ID_NAME.match(name) and len(np.unique(values[~np.isnan(values)])) == len(values):
        return "every value is different, and it is named like an identifier"
    if are_calendar(known) and are_calendar(values[~np.isnan(values)]):
        return Sentence(f"its numbers are dates such as {np.nanmin(values):.0f}. ", _DATE_ADVICE)
    return None


def _why_rounded(name: str, column: RawNumbers) -> Sentence | None:
    """The sentence for whole numbers so large that different ones become equal as floats."""
    if not column.whole or not np.nanmax(np.abs(column.values), initial=0) > EXACT:
        return None
    large = f"Column '{name}' holds whole numbers beyond 2^53, which are rounded as numbers. "
    return _or_as(f"{large}If they are codes: ", name, "nominal")


def _number_rows(values: NumberCells, rows: int) -> bool:
    """Are these, in whatever order, different numbers of so many rows that are counted from 0 or 1?"""
    low, high = values.min(), values.max()  # NaN, of an empty cell, is neither
    return bool(low >= 0 and high <= rows and high - low < rows and len(distinct(values)) == len(values))


def _count(values: NumberCells) -> int:
    """How many different numbers there are."""
    return len(np.unique(values[~np.isnan(values)]))


def _categorical(name: str, column: RawStrings) -> Nominal | Ordinal:
    """With the values in the order that the source declares, or else in natural order."""
    values = column.values if column.declared or column.ordered else natural_order(column.values)
    return (Ordinal if column.ordered else Nominal)(name, values)


def _decimal_comma(name: str, column: RawStrings) -> Sentence | None:
    """Numbers such as 1,5 or 1,234, which a reader that expects a decimal point takes for values."""
    sample = _sample(column)
    example = min((value for value in sample if "," in value), default=None)
    if example is None or not all(_WITH_COMMA.fullmatch(value.strip()) for value in sample):
        return None
    if _GROUPS.fullmatch(example.strip()):
        return Sentence(
            f"Column '{name}' looks like numbers, such as '{excerpt(example)}', whose comma may "
            "separate thousands or be a decimal mark. In a text file, say which: ",
            Advice("thousands", ","),
            " or ",
            Advice("decimal", ","),
        )
    return Sentence(
        f"Column '{name}' looks like numbers with a decimal comma, such as '{excerpt(example)}'. "
        "If it is, in a text file: ",
        Advice("decimal", ","),
    )


def _stray(name: str, column: RawStrings) -> Sentence | None:
    """A word among numbers, which alone keeps a column from being numeric; or numbers as text."""
    sample = _sample(column)
    if len(sample) < 10 or sum(number_in(value) is not None for value in sample) < 0.9 * len(sample):
        return None
    word = min((value for value in column.values if number_in(value) is None), default=None)
    if word is None:  # written as Python would read them, yet not as the source was to be read
        return Sentence(
            f"Column '{name}' holds numbers written as text, such as '{excerpt(min(column.values))}'. "
            "To take them as numbers: ",
            Advice("kinds", {name: "numeric"}),
        )
    return Sentence(
        f"Column '{name}' holds numbers, but row "
        f"{first_row(column.codes, column.values.index(word))} says '{excerpt(word)}'. "
        "If that means missing: ",
        Advice("missing", excerpt(word)),
    )


def _words(column: RawStrings) -> float:
    sample = _sample(column)
    return sum(len(value.split()) for value in sample) / len(sample)


def _sample(column: RawStrings) -> tuple[str, ...]:
    if len(column.values) <= _SAMPLE:
        return column.values
    return tuple(sorted(column.values)[:: len(column.values) // _SAMPLE])


def _left_out(name: str, column: RawColumn, because: str, keep_as: str) -> Guess:
    note = _or_as(Sentence(f"Column '{name}' is left out: ", because, ". To keep it: "), name, keep_as)
    return Guess(Ignored(name, str(because)), column, note)


def _or_as(sentence: str, name: str, kind: str) -> Sentence:
    """What was guessed, and the way to take the column otherwise."""
    return Sentence(sentence, Advice("kinds", {name: kind}), ".")


def _with_stray(because: str, stray: Sentence | None) -> str:
    return because if stray is None else Sentence(because, ". ", stray)


_DATE_ADVICE: Final = Sentence(
    "Make columns such as year, month or weekday out of it, or take dates as numbers: ",
    Advice("dates", "days"),
)
