"""Adversarial rows: made from a model, so that a target which misreads it anywhere is found out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, assert_never

import numpy as np

from clearwood.errors import SettingError
from clearwood.exporting.exportable import Exportable, inputs_of, program_to_export
from clearwood.exporting.exported import Exported
from clearwood.exporting.proof.decisions import DecisionPlan, DecisionRows, decisions_of, decisions_of_table
from clearwood.exporting.proof.model_cuts import (
    cuts_of_model,
    cuts_of_pairs,
    middle_of_unit,
    rounded_at,
    unit_lines,
)
from clearwood.exporting.proof.odd_cells import EXTREME_NUMBERS, ODD_TEXTS, around, beside, odd_sentences
from clearwood.exporting.proof.reaching import reached_regions
from clearwood.formulas.conditions import (
    OnNumbers,
    comparisons,
)
from clearwood.formulas.expressions import (
    CellNumber,
    Compared,
    Holds,
    LogOfBells,
    Negative,
    Number,
    PlaceOfNumber,
    Sum,
)
from clearwood.models.kinds.bayes.distributions import Bag, Words
from clearwood.models.model import BayesTables, LinearModel, Tree
from clearwood.models.profile import NumbersProfile, ValuesProfile
from clearwood.models.program.program import ModelProgram, program_parts
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.coding import recoded
from clearwood.table.raw import Cell, Row

MOST_ROWS: Final = 8000  # that are made of one model, unless asked otherwise
_MIXED: Final = 400  # of cells drawn by seed
_MOST_COUNTED: Final = 1e300
_FAR_OUT: Final = 1e140
_TABLED: Final = {"table", "feel"}  # targets of decision tables
_POINTS: Final = 30  # of a column's curve

REACHED: Final = "every leaf and rule reached"
DECIDED: Final = "each side of every condition, where it decides"
CUTS: Final = "on, just below and just above every cut"
VALUES: Final = "every value"
UNSEEN: Final = "values never met, and nearly a known one"
MISSING: Final = "missing cells, alone and together"
EXTREMES: Final = "extreme numbers"
TEXTS: Final = "odd texts"
MIXED: Final = "all of these mixed, by seed"


@dataclass(frozen=True)
class AdversarialRows:
    """The rows, how many were made of each sort, how many of each were left out by seed because there were
    more than `most`, and the leaves and rules that no row reaches."""

    rows: tuple[Row, ...] = field(repr=False)
    made: Mapping[str, int]
    left_out: Mapping[str, int]
    not_reached: tuple[str, ...]
    seed: int
    most: int

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)


def adversarial_rows(
    model: Exportable, *, most: int = MOST_ROWS, seed: int = 0, single: bool = False, tabled: bool = False
) -> AdversarialRows:
    """Rows made from the model; with `single` also the neighbours of cuts in single precision, with `tabled`
    also the rows of a tree's decision table.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> made = adversarial_rows(cw.C45().learn(table))
    >>> sunny = {row["Humidity"] for row in made if row["Outlook"] == "Sunny"}
    >>> sorted(each for each in sunny if each is not None and 74 < each < 76)
    [74.99999999999999, 75.0, 75.00000000000001]
    """
    if most < 1:
        raise SettingError(f"most must be a whole number from 1, not {most}.")
    maker = _Maker(model, most, seed, single, tabled)
    sorts, not_reached = maker.made()
    chosen = _chosen(sorts, most, Random(seed))
    rows = tuple(row for each in chosen.values() for row in each)
    made = {name: len(each) for name, each in chosen.items() if each}
    left = {name: len(sorts[name]) - len(each) for name, each in chosen.items()}
    left[DECIDED] += maker.decisions_left_out
    left = {name: count for name, count in left.items() if count}
    return AdversarialRows(rows, made, left, not_reached, seed, most)


def rows_to_prove(exported: Exported, *, most: int = MOST_ROWS, seed: int = 0) -> AdversarialRows:
    """The rows that an export is proven by: from its model, and what its format adds."""
    return adversarial_rows(
        exported.model,
        most=most,
        seed=seed,
        single=exported.precision == "single",
        tabled=exported.target in _TABLED,
    )


def input_columns(model: Exportable) -> tuple[Attribute, ...]:
    """The columns that a model asks for; where it asks for none, all that it knows."""
    return inputs_of(model) or tuple(model.schema.inputs)


def jumps_of(model: Exportable, rows: Sequence[Row]) -> Mapping[str, tuple[float, ...]]:
    """By column, ascending: the numbers at which its answers may jump; where points are rounded there is no
    end of them, and those beside the cells of the rows are taken."""
    jumps = {name: set(cuts) for name, cuts in _cuts(model).jumps.items()}
    for line in unit_lines(model):
        cells = (row.get(line.name) for row in rows)
        near = (each for each in cells if isinstance(each, float) and math.isfinite(each))
        # On such a number the product, which is rounded itself, lies on either side.
        for cut in rounded_at(line, near):
            jumps.setdefault(line.name, set()).update(around(cut)[1:])
    return {name: tuple(sorted(cuts)) for name, cuts in jumps.items()}


class _Maker:
    """Makes the rows of one model, sort by sort."""

    def __init__(self, model: Exportable, most: int, seed: int, single: bool, tabled: bool) -> None:
        self.model, self.most, self.single, self.tabled = model, most, single, tabled
        self.decisions_left_out = 0
        self.random = Random(seed)
        self.inputs = input_columns(model)
        self.cuts = _cuts(model)
        self.middles = {line.name: middle_of_unit(model, line) for line in unit_lines(model)}
        self.usual: dict[str, Cell] = {each.name: self._usual(each) for each in self.inputs}

    def made(self) -> tuple[dict[str, list[Row]], tuple[str, ...]]:
        regions = reached_regions(self.model, self.usual, most=self.most)
        reached = [each for each in regions if each.row is not None]
        anchors: list[Row] = [each.row for each in reached if each.row is not None] or [self.usual]
        decisions = self._decisions()
        self.decisions_left_out = decisions.left_out
        sorts = {
            REACHED: [each.row for each in reached if each.row is not None],
            DECIDED: decisions.rows,
            CUTS: self._one_by_one(self._at_cuts),
            VALUES: [*self._one_by_one(self._values), *decisions.values, *self._in_pairs()],
            UNSEEN: self._one_by_one(self._unseen),
            MISSING: self._missing(anchors),
            EXTREMES: self._one_by_one(self._extremes),
            TEXTS: self._one_by_one(self._texts),
            MIXED: self._mixed(anchors),
        }
        missed = tuple(f"{each.name}: {each.because}" for each in regions if each.row is None)
        return _each_once(sorts), (*missed, *decisions.not_reached)

    def _decisions(self) -> DecisionRows:
        plan = DecisionPlan(self.usual, self.most, Random(self.random.random()), self.single)
        made = decisions_of(self.model, plan)
        if self.tabled and isinstance(self.model, Tree):
            made.add(decisions_of_table(self.model, plan))
        return made

    def _in_pairs(self) -> Iterator[Row]:
        """Every cell of the tables that a model has for two columns together."""
        for names, cuts in cuts_of_pairs(self.model):
            axes = [self._cells_of_pair(name, own) for name, own in zip(names, cuts, strict=True)]
            every = [(one, other) for one in axes[0] for other in axes[1]]
            some = self.random.sample(every, self.most) if len(every) > self.most else every
            yield from ({**self.usual, names[0]: one, names[1]: other} for one, other in some)

    def _cells_of_pair(self, name: str, cuts: Sequence[float]) -> list[Cell]:
        attribute = self.model.schema[name]
        if isinstance(attribute, Nominal | Ordinal):
            return [*attribute.values, "never met", None]
        return [*cuts, *(math.nextafter(each, math.inf) for each in cuts[-1:]), None]

    def _usual(self, attribute: Attribute) -> Cell:
        """The commonest value or the middle number of the training rows, where the model has a profile; an
        empty text, which a spreadsheet cannot hold, only where there is no other."""
        profile = None if self.model.profile is None else self.model.profile.columns.get(attribute.name)
        match attribute:
            case Nominal(_, values) | Ordinal(_, values):
                places = [place for place, value in enumerate(values) if value] or range(len(values))
                if isinstance(profile, ValuesProfile) and any(profile.counts):
                    return values[max(places, key=profile.counts.__getitem__)]
                return values[places[0]] if values else None
            case Numeric(name):
                if isinstance(profile, NumbersProfile) and profile.quantiles:
                    return profile.quantiles[len(profile.quantiles) // 2]
                if name in self.middles:
                    return self.middles[name]
                cuts = self.cuts.jumps.get(name) or self.cuts.bends.get(name) or (0.0,)
                return cuts[len(cuts) // 2]
            case Text():
                return " ".join(self._words(attribute.name)[:3])
            case Ignored():
                return None
            case _:
                assert_never(attribute)

    def _words(self, name: str) -> tuple[str, ...]:
        if isinstance(self.model, BayesTables):
            for each in self.model.distributions:
                if isinstance(each, Words) and each.name == name:
                    return tuple(each.words)
        return ()

    def _one_by_one(self, cells: Callable[[Attribute], Sequence[Cell]]) -> list[Row]:
        return [{**self.usual, each.name: cell} for each in self.inputs for cell in cells(each)]

    def _at_cuts(self, attribute: Attribute) -> list[Cell]:
        jumps = self.cuts.jumps.get(attribute.name, ())
        return [cell for cut in jumps for cell in around(cut, single=self.single)]

    def _values(self, attribute: Attribute) -> Sequence[Cell]:
        if isinstance(attribute, Nominal | Ordinal):
            return attribute.values
        if isinstance(attribute, Numeric):
            bends = self.cuts.bends.get(attribute.name, ())
            step = max(1, len(bends) // _POINTS)
            profile = None if self.model.profile is None else self.model.profile.columns.get(attribute.name)
            return (*bends[::step], *(profile.quantiles if isinstance(profile, NumbersProfile) else ()))
        return ()

    def _unseen(self, attribute: Attribute) -> Sequence[Cell]:
        if not isinstance(attribute, Nominal | Ordinal):
            return ()
        return self._not_respelled(attribute, ("never met", *beside(attribute.values)))

    def _extremes(self, attribute: Attribute) -> Sequence[Cell]:
        if not isinstance(attribute, Numeric):
            return ()
        bags = self.model.distributions if isinstance(self.model, BayesTables) else ()
        if any(isinstance(each, Bag) and attribute.name in each.names for each in bags):
            # Times the log of a word, a larger count is no float, and what is left then nobody has defined.
            return tuple(each for each in EXTREME_NUMBERS if abs(each) < _MOST_COUNTED)
        if isinstance(self.model, LinearModel):
            # Prediction refuses rows whose score is too large for a float.
            most = max((abs(each) for weights in self.model.weights for each in weights), default=1.0)
            largest = _MOST_COUNTED / max(1.0, most)
            return tuple(each for each in EXTREME_NUMBERS if abs(each) < largest)
        return EXTREME_NUMBERS

    def _texts(self, attribute: Attribute) -> Sequence[Cell]:
        if isinstance(attribute, Text):
            return (*ODD_TEXTS, *odd_sentences(self._words(attribute.name)))
        return self._not_respelled(attribute, ODD_TEXTS) if isinstance(attribute, Nominal | Ordinal) else ()

    def _not_respelled(self, attribute: Nominal | Ordinal, texts: Sequence[str]) -> Sequence[Cell]:
        """Those that are no value of the column, nor the number of one in another spelling: '01' for '1'."""
        codes = recoded(np.arange(len(texts), dtype=np.int32), tuple(texts), attribute.values)
        return [text for text, code in zip(texts, codes.tolist(), strict=True) if code < 0]

    def _missing(self, anchors: Sequence[Row]) -> list[Row]:
        names = [each.name for each in self.inputs]
        rows: list[Row] = [dict.fromkeys(names)]
        rows += [{**self.usual, name: None} for name in names]
        rows += [{**dict.fromkeys(names), name: self.usual[name]} for name in names]
        for row in anchors:
            rows.append({**row, self.random.choice(names): None} if names else row)
            rows.append({name: None if self.random.random() < 0.4 else cell for name, cell in row.items()})
        return rows

    def _mixed(self, anchors: Sequence[Row]) -> list[Row]:
        """Some cells of a row that reaches a leaf or rule are replaced by any of the column's odd ones."""
        every = {
            each.name: [
                *self._at_cuts(each),
                *self._values(each),
                *self._values(each),
                *self._unseen(each),
                *self._extremes(each),
                *self._texts(each),
                None,
            ]
            for each in self.inputs
        }
        rows: list[Row] = []
        for _ in range(_MIXED):
            often = self.random.choice((0.15, 0.5, 1.0))
            row = self.random.choice(anchors)
            rows.append(
                {
                    name: self.random.choice(every[name]) if self.random.random() < often else cell
                    for name, cell in row.items()
                }
            )
        return rows


def _cuts(model: Exportable) -> ColumnCuts:
    own = cuts_of_model(model)
    try:
        program = cuts_of_program(program_to_export(model))
    except SettingError:  # no program says what it does
        return ColumnCuts(own, {})
    names = dict.fromkeys((*own, *program.jumps))
    jumps = {name: tuple(sorted({*own.get(name, ()), *program.jumps.get(name, ())})) for name in names}
    cuts = ColumnCuts(jumps, program.bends)
    if not isinstance(model, BayesTables):
        return cuts
    # Where densities just become too small for a float, the sum of two may be a float or not: no cuts.
    jumps = {name: tuple(each for each in of if abs(each) < _FAR_OUT) for name, of in cuts.jumps.items()}
    return ColumnCuts(jumps, cuts.bends)


def _each_once(sorts: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
    """Without rows that were made already; 0 and −0 are two."""
    known: set[str] = set()
    once: dict[str, list[Row]] = {}
    for name, rows in sorts.items():
        once[name] = []
        for row in rows:
            key = repr(tuple(row.values()))
            if key not in known:
                known.add(key)
                once[name].append(row)
    return once


def _chosen(sorts: Mapping[str, list[Row]], most: int, random: Random) -> dict[str, list[Row]]:
    """Decisions get two thirds of `most`, values two thirds of the rest, each other sort an equal part of
    what is left; what small ones leave is for the others, at last for decisions again. Which of a sort are
    taken is drawn, and they keep their order."""
    taken = {DECIDED: min(len(sorts[DECIDED]), most * 2 // 3)}
    taken[VALUES] = min(len(sorts[VALUES]), (most - taken[DECIDED]) * 2 // 3)
    left = most - taken[DECIDED] - taken[VALUES]
    others = sorted((each for each in sorts if each not in taken), key=lambda each: len(sorts[each]))
    for place, name in enumerate(others):
        taken[name] = min(len(sorts[name]), max(1, left // (len(others) - place)), left)
        left -= taken[name]
    for name in (DECIDED, VALUES):
        more = min(len(sorts[name]) - taken[name], left)
        taken[name] += more
        left -= more
    return {
        name: rows
        if taken[name] == len(rows)
        else [rows[k] for k in sorted(random.sample(range(len(rows)), taken[name]))]
        for name, rows in sorts.items()
    }


# The numbers at which a model changes its mind, column by column, read from its program.


@dataclass(frozen=True, slots=True)
class ColumnCuts:
    """By column, ascending: the numbers where the answer may jump, and those where it bends."""

    jumps: Mapping[str, tuple[float, ...]]
    bends: Mapping[str, tuple[float, ...]]


def cuts_of_program(program: ModelProgram) -> ColumnCuts:
    """The cuts of a program's columns.

    >>> import clearwood as cw
    >>> from clearwood.exporting.exportable import program_to_export
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> cuts_of_program(program_to_export(cw.C45().learn(table))).jumps
    {'Humidity': (75.0,)}
    """
    jumps: dict[str, set[float]] = {}
    bends: dict[str, set[float]] = {}
    for part in program_parts(program.steps):
        if isinstance(part, Holds) and isinstance(part.condition, OnNumbers):
            limits = (limit for _, limit in comparisons(part.condition))
            jumps.setdefault(part.condition.name, set()).update(limits)
        elif isinstance(part, PlaceOfNumber):
            jumps.setdefault(part.name, set()).update(part.cuts)
        elif isinstance(part, LogOfBells):
            bends.setdefault(part.name, set()).update(part.points)
        elif (
            isinstance(part, Compared)
            and isinstance(part.left, CellNumber)
            and isinstance(part.right, Number)
        ):
            if isinstance(part.right, Number):
                jumps.setdefault(part.left.name, set()).add(float(part.right.value))
        elif isinstance(part, Sum) and len(part.terms) == 2:
            cell, rest = part.terms
            if isinstance(cell, CellNumber) and isinstance(rest, Negative) and isinstance(rest.of, Number):
                bends.setdefault(cell.name, set()).add(float(rest.of.value))
    return ColumnCuts(_ascending(jumps), _ascending(bends))


def _ascending(by_name: Mapping[str, set[float]]) -> dict[str, tuple[float, ...]]:
    return {
        name: tuple(sorted(each for each in numbers if math.isfinite(each)))
        for name, numbers in by_name.items()
    }
