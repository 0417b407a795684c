"""Cells that a proof asks of a column: where a model changes its mind, and what may be misread."""

import math
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from clearwood.errors import SettingError
from clearwood.explaining.card_lines import PointsPerUnit
from clearwood.explaining.scorecard import Scorecard
from clearwood.exporting.exportable import Exportable, limits_of_card, program_to_export
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import OnNumbers, comparisons
from clearwood.models.kinds.kind import NumbersProfile
from clearwood.models.model import BayesTables, Ensemble, LinearModel
from clearwood.models.program.program import ModelProgram, program_parts
from clearwood.models.space.model_space import PairCuts
from clearwood.models.space.space_of import space_of, thresholds_of
from clearwood.table.raw import Row

_COUNTED: Final = 1e12  # points: beyond, a float has no halves worth telling apart
_FAR_OUT: Final = 1e140


@dataclass(frozen=True, slots=True)
class ColumnCuts:
    """By column, ascending: the numbers where the answer may jump, and those where it bends."""

    jumps: Mapping[str, tuple[float, ...]]
    bends: Mapping[str, tuple[float, ...]]


def cuts_of_export(model: Exportable) -> ColumnCuts:
    """The numbers at which a model changes its mind, read from the model itself and from its program.

    An export is made from the program: a cut that was lost on the way there is tried.
    """
    own = cuts_of_model(model)
    try:
        program = cuts_of_program(program_to_export(model))
    except SettingError:  # no program says what it does
        return ColumnCuts(own, {})
    # Where densities just become too small for a float, the sum of two may be a float or not: no cuts.
    most = _FAR_OUT if _has_densities(model) else math.inf
    jumps = {}
    for name in dict.fromkeys((*own, *program.jumps)):
        both = {*own.get(name, ()), *program.jumps.get(name, ())}
        jumps[name] = tuple(sorted(each for each in both if abs(each) < most))
    return ColumnCuts(jumps, program.bends)


def _has_densities(model: Exportable) -> bool:
    if isinstance(model, Ensemble) and model.trees is None:
        return any(map(_has_densities, model.models))
    return isinstance(model, BayesTables)


def jumps_of(model: Exportable, rows: Sequence[Row]) -> Mapping[str, tuple[float, ...]]:
    """By column, ascending: the numbers at which its answers may jump; where points are rounded there is no
    end of them, and those beside the cells of the rows are taken."""
    jumps = {name: set(cuts) for name, cuts in cuts_of_export(model).jumps.items()}
    for line in unit_lines(model):
        cells = (row.get(line.name) for row in rows)
        near = (each for each in cells if isinstance(each, float) and math.isfinite(each))
        # On such a number the product, which is rounded itself, lies on either side.
        for cut in rounded_at(line, near):
            jumps.setdefault(line.name, set()).update(around(cut)[1:])
    return {name: tuple(sorted(cuts)) for name, cuts in jumps.items()}


def cuts_of_program(program: ModelProgram) -> ColumnCuts:
    """The cuts of a program's columns.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> cuts_of_program(program_to_export(cw.C45().learn(table))).jumps
    {'Humidity': (75.0,)}
    """
    jumps: dict[str, set[float]] = {}
    bends: dict[str, set[float]] = {}
    for part in program_parts(program.steps):
        match part:
            case f.Holds(condition) if isinstance(condition, OnNumbers):
                jumps.setdefault(condition.name, set()).update(limit for _, limit in comparisons(condition))
            case f.PlaceOfNumber(name, cuts):
                jumps.setdefault(name, set()).update(cuts)
            case f.Compared(f.CellNumber(name), _, f.Number(value)):
                jumps.setdefault(name, set()).add(float(value))
            case f.Sum((f.CellNumber(name), f.Negative(f.Number(value)))):
                bends.setdefault(name, set()).add(float(value))
            case f.LogOfBells(name, points):
                bends.setdefault(name, set()).update(points)
            case _:
                pass
    return ColumnCuts(_ascending(jumps), _ascending(bends))


def _ascending(by_name: Mapping[str, set[float]]) -> dict[str, tuple[float, ...]]:
    return {name: tuple(sorted(filter(math.isfinite, numbers))) for name, numbers in by_name.items()}


def cuts_of_model(model: Exportable) -> dict[str, tuple[float, ...]]:
    """By column, ascending: the limits of conditions and surrogates, and the cuts of curves and tables.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> cuts_of_model(cw.C45().learn(table))
    {'Humidity': (75.0,)}
    """
    if not isinstance(model, Scorecard):
        return {name: cuts for name, cuts in thresholds_of(model).items() if cuts}
    by_name: dict[str, set[float]] = {}
    for name, number in (*limits_of_card(model), *_rounded_units(model)):
        if math.isfinite(number):
            by_name.setdefault(name, set()).add(number)
    return _ascending(by_name)


def _rounded_units(card: Scorecard) -> Iterator[tuple[str, float]]:
    """Of points by unit: how far they reach, and some of the numbers at which they are rounded."""
    for line in unit_lines(card):
        profile = None if card.profile is None else card.profile.columns.get(line.name)
        middle = middle_of_unit(card, line)
        usual = profile.quantiles if isinstance(profile, NumbersProfile) else (0.0, middle, 2 * middle)
        yield from ((line.name, each) for each in (*rounded_at(line, usual), -line.reach, line.reach))


def cuts_of_pairs(model: Exportable) -> Iterable[PairCuts]:
    """The columns that a model has tables for, two by two, and the cuts of both."""
    return space_of(model.model if isinstance(model, Scorecard) else model).pairs()


def unit_lines(model: Exportable) -> tuple[PointsPerUnit, ...]:
    """The lines of a scorecard that give points for each unit of a number."""
    lines = model.lines if isinstance(model, Scorecard) else ()
    return tuple(each for each in lines if isinstance(each, PointsPerUnit))


def middle_of_unit(model: Exportable, line: PointsPerUnit) -> float:
    """A usual number of a column with points by unit: the mean that an empty cell is taken for."""
    fills = model.model.fills if isinstance(model, Scorecard) and isinstance(model.model, LinearModel) else {}
    return float(fills.get(line.name, 1.0))


def rounded_at(line: PointsPerUnit, near: Iterable[float]) -> list[float]:
    """Beside each of some numbers: where the points of a unit, rounded, become one more.

    >>> rounded_at(PointsPerUnit("age", 0.5, 0.5, 0), (30.2,))
    [29.0, 31.0]
    """
    if not line.points:
        return []
    cuts: list[float] = []
    for number in near:
        points = number * line.points
        if abs(points) < _COUNTED:
            below = math.floor(points + 0.5) - 0.5
            cuts += sorted({below / line.points, (below + 1) / line.points})
    return cuts


# Edge cases: cells of a column that programs which read a model may misread.


ODD_TEXTS: Final = (
    "",
    " ",
    "never met",
    "O'Hara",
    'the "best"',
    "back\\slash",
    "two\nlines",
    "a\ttab",
    "semi;colon, comma",
    "100 %",
    "{brace} $dollar `tick`",
    "<b>&amp;</b>",
    "NULL",
    "nan",
    "None",
    "true",
    "0",
    "-1.5",
    "=1+1",
    "größer",
    "e\u0301",
    "日本語",
    "👩\u200d🔬",
    "\u200b",
    "'; DROP TABLE rows; --",
)
_LARGEST: Final = sys.float_info.max
_SMALLEST: Final = math.ulp(0.0)
EXTREME_NUMBERS: Final = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    _SMALLEST,
    -_SMALLEST,
    sys.float_info.min,
    0.1 + 0.2,
    1 / 3,
    2.0**53 + 2,
    1e15 + 0.5,
    -123456789.12345678,
    1e22,
    1e200,
    -1e200,
    _LARGEST,
    -_LARGEST,
)


def around(cut: float, *, single: bool = False) -> tuple[float, ...]:
    """A cut and its neighbours either way; with `single` also those in single precision.

    >>> around(75.0)
    (75.0, 74.99999999999999, 75.00000000000001)
    """
    if not math.isfinite(cut):
        return ()
    numbers = [cut, math.nextafter(cut, -math.inf), math.nextafter(cut, math.inf)]
    if single:
        with np.errstate(over="ignore"):
            narrow = np.float32(cut)
            ways = (
                narrow,
                np.nextafter(narrow, np.float32(-np.inf)),
                np.nextafter(narrow, np.float32(np.inf)),
            )
        numbers += [float(each) for each in ways]
    return tuple(each for each in dict.fromkeys(numbers) if math.isfinite(each))


def beside(values: Sequence[str]) -> tuple[str, ...]:
    """Texts that are nearly a column's values: in another case, with blanks around, composed otherwise.

    >>> beside(["Sunny"])
    ('sunny', 'SUNNY', ' Sunny', 'Sunny ')
    """
    made: dict[str, None] = {}
    for value in values:
        forms = [value.lower(), value.upper(), f" {value}", f"{value} "]
        forms += [unicodedata.normalize(form, value) for form in ("NFC", "NFD")]
        made.update(dict.fromkeys(forms))
    return tuple(each for each in made if each not in values)


def odd_sentences(words: Sequence[str]) -> tuple[str, ...]:
    """Texts of known words, and of what stands between and within words."""
    some = [*words[:40:4], "never", "met"]
    joined = " ".join(some)
    return (
        joined,
        joined.upper(),
        ", ".join(some) + "!",
        "".join(f"({each})" for each in some),
        "\n".join(some),
        "'".join(some[:3]),
        "’".join(some[:3]),
        "_".join(some[:3]),
        f"{some[0]} " * 3,
        *(f"{each} {text}" for each, text in zip(some * 9, ODD_TEXTS, strict=False)),
        "don't rock’n’roll",
        "日本 and 👍🏽 for 2 🇩🇪🇫🇷 é e\u0301 İZMİR ΣΑΣ ǅ",
        "a\u00adb c\u200cd x\u200dy",
    )
