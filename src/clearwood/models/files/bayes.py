"""A Bayes model as JSON text, and back: one distribution a line, its sums exact.

A number that JSON holds exactly stands as a number; any other as the text of its fraction, "1/3".
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from dataclasses import fields as dataclass_fields
from fractions import Fraction
from typing import Any, Final, assert_never

from clearwood.errors import ModelFileError, TableError, no_such
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Gaussian,
    Kernel,
    Row,
    Sums,
    Words,
)
from clearwood.models.exact import Exact, exact
from clearwood.models.files.fields import as_list, as_number, fields, refuse
from clearwood.models.files.heading import HEADING, dumps, heading_lines, read_heading
from clearwood.table.text import TextReading

_FRACTION: Final = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?")
_HELD_BY_JSON: Final = 1 << 53


def bayes_to_json(model: BayesTables) -> str:
    """The whole text of a model file."""
    heading = "".join(heading_lines("bayes", model.schema, model.origin, model.decision))
    lines = ",\n  ".join(dumps(_distribution_to_json(each)) for each in model.distributions)
    listed = f"[\n  {lines}\n ]" if lines else "[]"
    return (
        f'{{\n{heading} "priors": {dumps(model.priors)},\n "classes": {dumps(_row_to_json(model.classes))},\n'
        f' "distributions": {listed}\n}}\n'
    )


def bayes_from_json(data: Mapping[str, Any]) -> BayesTables:
    """The model in the fields of a model file, its heading (format, version, model) left out."""
    fields(data, "the file", required=(*HEADING, "priors", "classes", "distributions"))
    schema, origin, decision = read_heading(data)
    priors = data["priors"]
    if not isinstance(priors, str):
        priors = _floats(priors, "priors")
    distributions = []
    for i, entry in enumerate(as_list(data["distributions"], "distributions")):
        where = f"distributions[{i}]"
        kind = entry.get("kind") if isinstance(entry, dict) else None
        if not isinstance(kind, str) or kind not in _READERS:
            raise ModelFileError(
                f"{where}: {no_such('kind of distribution', str(kind), _READERS, plural='kinds')}"
            )
        distributions.append(_READERS[kind](entry, where))
    try:
        return BayesTables(
            schema, _row(data["classes"], "classes"), tuple(distributions), priors, decision, origin
        )
    except TableError as error:
        raise ModelFileError(f"not a Bayes model: {error}") from None


def exact_to_json(value: Exact) -> int | float | str:
    """A sum as JSON holds it without loss.

    >>> exact_to_json(3), exact_to_json(Fraction(5, 2)), exact_to_json(Fraction(1, 3))
    (3, 2.5, '1/3')
    """
    if isinstance(value, int) and abs(value) <= _HELD_BY_JSON:
        return value
    try:
        near = float(value)
    except OverflowError:
        return str(value)
    return near if Fraction(near) == value else str(value)


def exact_from_json(value: Any, where: str) -> Exact:
    """What `exact_to_json` wrote; anything else is refused.

    >>> exact_from_json("1/3", "counts"), exact_from_json(2.5, "counts")
    (Fraction(1, 3), Fraction(5, 2))
    """
    if type(value) is int or (type(value) is float and math.isfinite(value)):
        return exact(value)
    if not isinstance(value, str) or not _FRACTION.fullmatch(value) or value.endswith("/0"):
        refuse(where, "must be a finite number or the text of a fraction", value)
    try:
        return exact(Fraction(value))
    except ZeroDivisionError:
        refuse(where, "must be a finite number or the text of a fraction", value)


def _distribution_to_json(distribution: Distribution) -> dict[str, Any]:
    match distribution:
        case Categorical(name, counts, smoothing, prior):
            return {
                "kind": "categorical",
                "column": name,
                "counts": _sums_to_json(counts),
                "smoothing": smoothing,
                "prior": prior,
            }
        case Cuts(name, cuts, counts, smoothing):
            return {
                "kind": "cuts",
                "column": name,
                "cuts": cuts,
                "counts": _sums_to_json(counts),
                "smoothing": smoothing,
            }
        case Gaussian(name, weights, sums, squares, floor):
            return {
                "kind": "gaussian",
                "column": name,
                "weights": _row_to_json(weights),
                "sums": _row_to_json(sums),
                "squares": _row_to_json(squares),
                "floor": floor,
            }
        case Kernel(name, points, bandwidth, floor):
            return {
                "kind": "kernel",
                "column": name,
                "points": [[[value, exact_to_json(weight)] for value, weight in each] for each in points],
                "bandwidth": bandwidth,
                "floor": floor,
            }
        case Bag(names, event, counts, known, alpha):
            return {
                "kind": "bag",
                "columns": names,
                "event": event,
                "counts": _sums_to_json(counts),
                "known": _sums_to_json(known),
                "alpha": alpha,
            }
        case Words(name, event, words, counts, documents, by_class, texts, read, reading, alpha):
            return {
                "kind": "words",
                "column": name,
                "event": event,
                "words": words,
                "counts": _sums_to_json(counts),
                "documents": _sums_to_json(documents),
                "known": _row_to_json(by_class),
                "texts": texts,
                "read": read,
                "reading": asdict(reading),
                "alpha": alpha,
            }
        case _:
            assert_never(distribution)


def _categorical(entry: Mapping[str, Any], where: str) -> Categorical:
    fields(entry, where, required=("kind", "column", "counts", "smoothing", "prior"))
    prior = entry["prior"]
    if not isinstance(prior, str):
        prior = _floats(prior, f"{where}.prior")
    return Categorical(
        _text(entry, where), _sums(entry["counts"], f"{where}.counts"), _smoothing(entry, where), prior
    )


def _cuts(entry: Mapping[str, Any], where: str) -> Cuts:
    fields(entry, where, required=("kind", "column", "cuts", "counts", "smoothing"))
    return Cuts(
        _text(entry, where),
        _floats(entry["cuts"], f"{where}.cuts"),
        _sums(entry["counts"], f"{where}.counts"),
        _smoothing(entry, where),
    )


def _gaussian(entry: Mapping[str, Any], where: str) -> Gaussian:
    fields(entry, where, required=("kind", "column", "weights", "sums", "squares", "floor"))
    weights, sums, squares = (_row(entry[key], f"{where}.{key}") for key in ("weights", "sums", "squares"))
    floor = as_number(entry["floor"], where, "floor", 0.0)
    pairs = zip(weights, squares, strict=False)  # of other lengths: refused with the schema at hand
    _check_reach((Fraction(twice) / Fraction(weight) for weight, twice in pairs if weight), where)
    return Gaussian(_text(entry, where), weights, sums, squares, floor)


def _kernel(entry: Mapping[str, Any], where: str) -> Kernel:
    fields(entry, where, required=("kind", "column", "points", "bandwidth", "floor"))
    points = []
    for c, each in enumerate(as_list(entry["points"], f"{where}.points")):
        of_class = []
        for i, pair in enumerate(as_list(each, f"{where}.points[{c}]")):
            place = f"{where}.points[{c}][{i}]"
            if type(pair) is not list or len(pair) != 2:
                refuse(place, "must be a value and its weight", pair)
            of_class.append((as_number(pair[0], place, "value"), exact_from_json(pair[1], place)))
        _check_reach((weight for _, weight in of_class), f"{where}.points[{c}]")
        _check_reach((Fraction(value) ** 2 for value, _ in of_class), f"{where}.points[{c}]")
        points.append(tuple(of_class))
    return Kernel(
        _text(entry, where), tuple(points), entry["bandwidth"], as_number(entry["floor"], where, "floor", 0.0)
    )


def _bag(entry: Mapping[str, Any], where: str) -> Bag:
    fields(entry, where, required=("kind", "columns", "event", "counts", "known", "alpha"))
    names = as_list(entry["columns"], f"{where}.columns")
    for name in names:
        if not isinstance(name, str):
            refuse(f"{where}.columns", "must be names", name)
    return Bag(
        tuple(names),
        entry["event"],
        _sums(entry["counts"], f"{where}.counts"),
        _sums(entry["known"], f"{where}.known"),
        as_number(entry["alpha"], where, "alpha", 0.0),
    )


def _words(entry: Mapping[str, Any], where: str) -> Words:
    sums = ("counts", "documents", "known", "texts", "read")
    fields(entry, where, required=("kind", "column", "event", "words", *sums, "reading", "alpha"))
    return Words(
        _text(entry, where),
        entry["event"],
        _strings(entry["words"], f"{where}.words"),
        _sums(entry["counts"], f"{where}.counts"),
        _sums(entry["documents"], f"{where}.documents"),
        _row(entry["known"], f"{where}.known"),
        _whole(entry["texts"], f"{where}.texts"),
        _whole([entry["read"]], f"{where}.read")[0],
        _reading(entry["reading"], f"{where}.reading"),
        as_number(entry["alpha"], where, "alpha", 0.0),
    )


def _reading(data: Any, where: str) -> TextReading:
    required = tuple(each.name for each in dataclass_fields(TextReading))
    fields(data, where, required=required)
    ngrams = as_list(data["ngrams"], f"{where}.ngrams")
    stop_words = _strings(data["stop_words"], f"{where}.stop_words")
    try:
        return TextReading(**{**data, "ngrams": tuple(ngrams), "stop_words": stop_words})
    except (TableError, ValueError) as error:
        raise ModelFileError(f"{where}: {error}") from None


def _strings(data: Any, where: str) -> tuple[str, ...]:
    found = as_list(data, where)
    if {*map(type, found)} - {str}:
        refuse(where, "must be a list of words", next(each for each in found if not isinstance(each, str)))
    return tuple(found)


def _text(entry: Mapping[str, Any], where: str) -> str:
    if not isinstance(entry["column"], str):
        refuse(f"{where}.column", "must be a name", entry["column"])
    return str(entry["column"])


def _smoothing(entry: Mapping[str, Any], where: str) -> Any:
    smoothing = entry["smoothing"]
    return smoothing if smoothing == "laplace" else as_number(smoothing, where, "smoothing", 0.0)


def _floats(data: Any, where: str) -> tuple[float, ...]:
    return tuple(as_number(each, where, str(i)) for i, each in enumerate(as_list(data, where)))


def _row(data: Any, where: str) -> Row:
    found = as_list(data, where)
    if {*map(type, found)} <= {int}:  # nearly always; a vocabulary has a million of them
        row: Row = tuple(found)
    else:
        row = tuple(exact_from_json(each, f"{where}[{i}]") for i, each in enumerate(found))
    _check_reach(row, where)
    return row


def _whole(data: Any, where: str) -> tuple[int, ...]:
    found = as_list(data, where)
    for each in found:
        if type(each) is not int or each < 0:
            refuse(where, "must be whole numbers from 0 up", each)
    _check_reach(found, where)
    return tuple(found)


def _check_reach(row: Iterable[Exact], where: str) -> None:
    """Refuse exact numbers whose sum no float can hold."""
    try:
        math.fsum(abs(float(each)) for each in row)
    except OverflowError:
        raise ModelFileError(f"{where} holds a number that is too large.") from None


def _sums(data: Any, where: str) -> Sums:
    return tuple(_row(each, f"{where}[{c}]") for c, each in enumerate(as_list(data, where)))


def _row_to_json(row: Row) -> Sequence[int | float | str]:
    if {*map(type, row)} <= {int} and -_HELD_BY_JSON <= min(row, default=0) <= max(
        row, default=0
    ) <= _HELD_BY_JSON:
        return row  # type: ignore[return-value]
    return [exact_to_json(each) for each in row]


def _sums_to_json(sums: Sums) -> list[Sequence[int | float | str]]:
    return [_row_to_json(row) for row in sums]


_READERS: Final[dict[str, Callable[[Mapping[str, Any], str], Distribution]]] = {
    "categorical": _categorical,
    "cuts": _cuts,
    "gaussian": _gaussian,
    "kernel": _kernel,
    "bag": _bag,
    "words": _words,
}
