"""`read_table`: any source to a coded table, with every guess announced in its notes."""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal, assert_never

import numpy as np
import numpy.typing as npt

from clearwood.errors import (
    Advice,
    ColumnError,
    NamedOption,
    Place,
    SchemaError,
    SettingError,
    SourceError,
    check_known,
)
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.coding import as_strings, as_weights, check_listed, code_column
from clearwood.table.declare import declare, guess_weights_are, note_of_guess
from clearwood.table.describe import excerpt
from clearwood.table.guess import Guess, guess_input, guess_target, remark_on_few_numbers
from clearwood.table.raw import Raw, RawColumn
from clearwood.table.schema import Schema, Weights, WeightsAre, check_meaning
from clearwood.table.schema_file import load_schema, schema_from_json
from clearwood.table.sources import is_array, read_raw
from clearwood.table.sources.recoded import as_read
from clearwood.table.table import MISSING, UNSEEN, Column, Table
from clearwood.words.numbers import many


def read_table(
    source: Any = None,
    *,
    target: str | int | None = None,
    weight: str | int | None = None,
    weights_are: str | None = None,
    schema: Schema | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    kinds: Mapping[str, str] | None = None,
    ignore: str | Sequence[str] = (),
    ordered: Mapping[str, Sequence[str]] | None = None,
    missing: str | Sequence[str] | Mapping[str, str | Sequence[str]] | None = None,
    recode: Mapping[str, Mapping[str, str]] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    header: bool | None = None,
    names: Sequence[str] | None = None,
    query: str | None = None,
    query_seconds: float | None = None,
    dates: str | None = None,
    max_bytes: int | str | None = None,
) -> Table:
    """Read a file, a frame, an array, a list of records or a query.

    `source` is a path (of a kind of file in `clearwood.catalogue.SOURCES`, by its suffix, or of delimited
    text, as any other file is; packed or not), `-` for standard input, bytes or an open file, a pandas,
    polars or pyarrow frame, a NumPy array (with `names`), a list of dicts, a dict of columns, or SQL over
    files. With `query`, the source is the table called `source` in it.

    The kind of each column is guessed, unless it is given by `kinds` (nominal, ordinal, numeric, text,
    ignored), `ordered` (values from low to high), `ignore`, or a whole `schema`. The table's `notes` list the
    guesses that may surprise. A target or weight given as a number is a position in an array, a label in a
    frame.

    `weights_are` says what the column `weight` holds: "counts" (w equal rows, the default), "sampling"
    (scaled so that they add up to Kish's effective number of rows) or "importance" (scaled to the number of
    rows); "guess" decides by the cells and says so in a note.

    In text files blanks, `?`, `NA`, `N/A`, `NaN` and `NULL` are missing; `missing` adds other marks, and
    `missing=[]` leaves only blanks. In other sources only their own missing cells are, and the marks in
    `missing`. A dict gives marks by column, such as `{"insulin": "0"}`; those under `""` count in all.
    `recode` says by column which value is read as which other: `{"sex": {"M": "male"}}`. `decimal` and
    `thousands` are the marks in numbers such as 1,200.50; `thousands='none'` leaves such cells unchanged.
    With `dates='days'` dates are numbers: days since 1970-01-01. A compressed file or a
    stream may have 4 GiB, or `max_bytes` (a number, or '8GB'), and so may a query, which ends after 300
    seconds, or `query_seconds`.

    >>> rows = [{"wind": "weak", "play": "yes"}, {"wind": "strong", "play": "no"}]
    >>> read_table(rows, target="play").schema.target
    Nominal(name='play', values=('no', 'yes'))
    """
    meaning: WeightsAre | Literal["guess"] | None = None
    if weights_are is not None:
        meaning = "guess" if weights_are == "guess" else check_meaning(weights_are)
    request = Request(
        weights_are=meaning,
        schema=_schema(schema),
        kinds=dict(_mapping("kinds", kinds, "{'age': 'numeric'}")),
        ignore=(ignore,) if isinstance(ignore, str) else tuple(ignore),
        ordered=_orders(_mapping("ordered", ordered, "{'size': ['S', 'M', 'L']}")),
    )
    raw = read_raw(
        source,
        names=names,
        query=query,
        query_seconds=query_seconds,
        missing=missing,
        recode=_mapping("recode", recode, "{'sex': {'M': 'male'}}") or None,
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        thousands=thousands,
        header=header,
        dates=dates,
        max_bytes=max_bytes,
    )
    by_place = is_array(source)
    request = replace(
        request, target=_name(target, raw.names, by_place), weight=_name(weight, raw.names, by_place)
    )
    return make_table(raw, request)


def _name(column: str | int | None, names: Sequence[str], by_place: bool) -> str | None:
    """A number is a place in an array, whose columns have no names, and a label in any other source."""
    if column is None or isinstance(column, str):
        return column
    if not by_place:
        return str(column)
    if not -len(names) <= column < len(names):
        raise ColumnError(f"No column {column}: the array has {len(names)}, counted from 0.")
    return names[column]


def _mapping(setting: str, given: Any, example: str) -> Mapping[str, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise SettingError(f"{setting} must be a dict such as {example}, not {given!r}.")
    return given or {}


def _schema(given: Schema | Mapping[str, Any] | str | os.PathLike[str] | None) -> Schema | None:
    if given is None or isinstance(given, Schema):
        return given
    return schema_from_json(dict(given)) if isinstance(given, Mapping) else load_schema(given)


def _orders(ordered: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    for name, values in ordered.items():
        if isinstance(values, str):
            raise SchemaError(
                f"ordered={{'{name}': …}} must be a list of values from low to high, not {values!r}."
            )
    return {name: tuple(str(value) for value in values) for name, values in ordered.items()}


# From raw columns to a coded table: decide what each column is, code it, and say what was decided.


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the caller says of the columns; the rest is taken from the source's own schema, or guessed.
    `known` is the given schema, or else the source's own."""

    target: str | None = None
    weight: str | None = None
    weights_are: WeightsAre | Literal["guess"] | None = None
    schema: Schema | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    ignore: Collection[str] = ()
    ordered: Mapping[str, Sequence[str]] = field(default_factory=dict)
    known: Schema | None = None


def make_table(raw: Raw, request: Request) -> Table:
    """The table this request makes of a source."""
    if len(raw) == 0:
        raise SourceError(f"{raw.where} has no rows.")
    if request.schema is not None:
        raw = as_read(raw, request.schema.read_as, settled=True)
    cells = dict(zip(raw.names, raw.columns, strict=True))
    request = _with_declared(raw, request, cells)
    _check_names(raw, request)
    weights = None if request.weight is None else as_weights(cells[request.weight], request.weight)

    names, notes = _order(raw, request)
    guesses = {name: _decide(name, cells[name], request) for name in names if name in cells}
    columns = {
        name: code_column(guess.column, guess.attribute)
        for name, guess in guesses.items()
        if not isinstance(guess.attribute, Ignored)
    }
    target = _target(guesses, request)
    attributes = tuple(
        guesses[name].attribute if name in guesses else Ignored(name, "not in the source")
        for name in names
        if target is None or name != target.name
    )
    weights_are, guessed = _meaning_of_column(weights, request, guesses)
    schema = Schema(attributes, target, request.weight, weights_are, raw.read_as)
    table = Table(schema, columns, weights, rows=len(raw))
    notes += [guess.note for guess in guesses.values() if guess.note]
    if request.known is None:
        undecided = (name for name in names if name not in request.kinds and name != request.target)
        notes += remark_on_few_numbers(guesses[name] for name in undecided)
    notes += _unseen(table, guesses)
    if not table.schema.inputs:
        notes.append("No column is left to learn from.")
    table, more = _without_missing_target(table)
    if guessed is not None and request.weight and weights_are and table.weights is not None:
        more.append(note_of_guess(request.weight, table.weights, weights_are, guessed))
    return replace(table, notes=(*raw.notes_without(_settled(raw, request)), *notes, *more), checked=True)


def _settled(raw: Raw, request: Request) -> set[str]:
    """The columns whose kind was given: what the reader took them for is no guess."""
    declared = [name for name in raw.names if _find(request.known, name) is not None]
    return {*declared, *request.kinds, *request.ordered, *request.ignore}


def _with_declared(raw: Raw, request: Request, cells: Mapping[str, RawColumn]) -> Request:
    """Target and weight of the given schema, or else of the source's own, where the request names none."""
    known = request.schema or raw.schema
    if known is None:
        return request
    target, weight = request.target, request.weight
    if target is None and known.target is not None and known.target.name in cells:
        target = known.target.name
    if weight is None and known.weight in cells:
        weight = known.weight
    return replace(request, target=target, weight=weight, known=known)


def _meaning_of_column(
    weights: Weights | None, request: Request, guesses: Mapping[str, Guess]
) -> tuple[WeightsAre | None, str | None]:
    """What the weights are, and why if that is a guess: the request says so, or a schema, or the cells do."""
    meaning = request.weights_are
    if weights is None:
        if meaning not in (None, "guess"):
            raise SchemaError(
                NamedOption("weights_are", meaning),
                " says what weights mean: name their column, ",
                Advice("weight"),
                ".",
            )
        return None, None
    if meaning is not None and meaning != "guess":
        return meaning, None
    known = request.known
    if known is not None and known.weight == request.weight and known.weights_are is not None:
        return known.weights_are, None
    if meaning is None:
        return "counts", None
    # A column that was left out because it numbers the rows would make any two rows differ.
    by_hand = Ignored("").because
    apart = [
        guess.column
        for guess in guesses.values()
        if not isinstance(guess.attribute, Ignored) or guess.attribute.because == by_hand
    ]
    return guess_weights_are(weights, apart)


def _check_names(raw: Raw, request: Request) -> None:
    singles = [name for name in (request.target, request.weight) if name is not None]
    for column in (*singles, *request.kinds, *request.ignore, *request.ordered):
        check_known("column", column, raw.names, error=ColumnError)
    if request.target is not None and request.target == request.weight:
        raise SchemaError(f"'{request.target}' cannot be both the target and the weight.")
    for role, name in (("target", request.target), ("weight", request.weight)):
        if name is not None and (name in request.ignore or request.kinds.get(name) == "ignored"):
            raise SchemaError(f"'{name}' cannot be both the {role} and ignored.")


def _order(raw: Raw, request: Request) -> tuple[list[str], list[str]]:
    """The columns in the order of the given schema, or else of the source; and what is said of the others."""
    if request.schema is None:
        return [name for name in raw.names if name != request.weight], []
    given = [attribute.name for attribute in request.schema.attributes]
    if request.schema.target is not None:
        given.append(request.schema.target.name)
    named = (*request.kinds, *request.ordered, *([request.target] if request.target else []))
    given = [name for name in dict.fromkeys((*given, *named)) if name != request.weight]
    for name in given:
        if name in request.schema.positions and not isinstance(request.schema[name], Ignored):
            lacks = f"{raw.where} lacks a column of the schema. "
            check_known("column", name, raw.names, error=ColumnError, before=lacks)
    others = [name for name in raw.names if name not in given and name != request.weight]
    if not others:
        return given, []
    return given, [f"Not in the schema, so left out: {', '.join(others)}."]


def _decide(name: str, column: RawColumn, request: Request) -> Guess:
    if name in request.ignore:
        return Guess(Ignored(name), column)
    if name in request.kinds or name in request.ordered:
        return declare(name, column, request.kinds.get(name, "ordinal"), request.ordered.get(name))
    declared = _find(request.known, name)
    if isinstance(declared, Nominal) and not declared.values:
        return declare(name, column, "nominal")
    if declared is not None:
        return Guess(declared, column)
    return guess_target(name, column) if name == request.target else guess_input(name, column)


def _find(schema: Schema | None, name: str) -> Attribute | None:
    if schema is None or (name not in schema.positions and name != getattr(schema.target, "name", None)):
        return None
    return schema[name]


def _target(guesses: Mapping[str, Guess], request: Request) -> Nominal | Ordinal | Numeric | None:
    if request.target is None:
        return None if request.schema is None else request.schema.target
    guess = guesses[request.target]
    match guess.attribute:
        case Text(name) | Ignored(name):
            word = guess.attribute.kind
            raise SchemaError(
                f"Target '{name}' is {word}; a target is nominal, ordinal or numeric. Say ",
                Advice("kinds"),
                ".",
                place=Place(column=name),
            )
        case Nominal() | Ordinal():
            check_listed(guess.attribute, as_strings(guess.column))
            return guess.attribute
        case Numeric():
            return guess.attribute
        case _:
            assert_never(guess.attribute)


def _unseen(table: Table, guesses: Mapping[str, Guess]) -> list[str]:
    """Values that a given schema doesn't list, column by column."""
    notes = []
    for attribute in table.schema.inputs:
        if isinstance(attribute, Nominal | Ordinal):
            unseen = table.columns[attribute.name] == UNSEEN
            if unseen.any():
                strings = as_strings(guesses[attribute.name].column)
                value = strings.values[strings.codes[int(np.argmax(unseen))]]
                notes.append(
                    f"Column '{attribute.name}' has {many(int(unseen.sum()), 'row')} with a value that "
                    f"is not in the schema, such as '{excerpt(value)}': it counts as missing."
                )
    return notes


def _without_missing_target(table: Table) -> tuple[Table, list[str]]:
    target = table.schema.target
    if target is None or target.name not in table.columns:
        return table, []
    column = table.target
    missing = np.isnan(column) if isinstance(target, Numeric) else column == MISSING
    notes = []
    if missing.all():
        raise SchemaError(
            f"The target '{target.name}' is empty in every row, so there is nothing to learn from."
        )
    if missing.any():
        count = int(np.count_nonzero(missing))
        notes.append(
            f"{many(count, 'row').capitalize()} without a value of the target '{target.name}' left out."
        )
        table = table.take(~missing)
    only = _only_class(target, table.target)
    if only is not None:
        notes.append(f"The target '{target.name}' has only one class, '{only}': there is nothing to learn.")
    return table, notes


def _only_class(target: Nominal | Ordinal | Numeric, column: Column) -> str | None:
    if isinstance(target, Numeric):
        return None
    counts: npt.NDArray[np.intp] = np.bincount(column, minlength=1)
    present = np.flatnonzero(counts)
    return target.values[int(present[0])] if len(present) == 1 else None
