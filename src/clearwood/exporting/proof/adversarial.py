"""Adversarial rows: made from a model, so that a target which misreads it anywhere is found out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Final, assert_never

import numpy as np

from clearwood.errors import SettingError
from clearwood.exporting.exportable import Exportable, inputs_of, table_of_rows
from clearwood.exporting.exported import Exported
from clearwood.exporting.proof.critical_cells import (
    EXTREME_NUMBERS,
    ODD_TEXTS,
    around,
    beside,
    cuts_of_export,
    cuts_of_pairs,
    middle_of_unit,
    odd_sentences,
    unit_lines,
)
from clearwood.exporting.proof.decisions import DecisionPlan, decisions_of, decisions_of_table
from clearwood.exporting.proof.reaching import reached_regions
from clearwood.models.kinds.bayes.distributions import Bag, Words
from clearwood.models.kinds.kind import NumbersProfile, ValuesProfile, kind_of
from clearwood.models.model import BayesTables, Ensemble, LinearModel, RuleList, Tree, tree_or_rules
from clearwood.predicting.batch import plain_shares
from clearwood.predicting.row import row_predictor
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.coding import recoded
from clearwood.table.raw import Cell, Row

MOST_ROWS: Final = 8000  # that are made of one model, unless asked otherwise
_MIXED: Final = 400  # of cells drawn by seed
_VOTED: Final = 4000  # of usual cells drawn by seed, where votes hide what moves none of them
_TIED: Final = 20_000  # of these among which rows are looked for to which two classes are equally probable
_TIES: Final = 50  # of them that are asked
_TURNS: Final = 2000  # of rows beside which a member's vote may turn, of all members
_HALVED: Final = {False: 20, True: 10}  # how often what lies between is; by whether numbers are single
_MOST_COUNTED: Final = 1e300
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
    single, tabled = exported.precision == "single", exported.target in ("table", "feel")
    return adversarial_rows(exported.model, most=most, seed=seed, single=single, tabled=tabled)


def input_columns(model: Exportable) -> tuple[Attribute, ...]:
    """The columns that a model asks for; where it asks for none, all that it knows."""
    return inputs_of(model) or tuple(model.schema.inputs)


class _Maker:
    """Makes the rows of one model, sort by sort."""

    def __init__(self, model: Exportable, most: int, seed: int, single: bool, tabled: bool) -> None:
        self.model, self.most, self.single, self.tabled = model, most, single, tabled
        self.decisions_left_out = 0
        self.random = Random(seed)
        self.cuts = cuts_of_export(model)
        self.profiles = {} if model.profile is None else model.profile.columns
        self.middles = {line.name: middle_of_unit(model, line) for line in unit_lines(model)} | _fills(model)
        inputs = input_columns(model)
        self.usual: dict[str, Cell] = {each.name: self._usual(each) for each in inputs}
        self.cells = {each.name: self._cells(each) for each in inputs}
        self.known: dict[str, list[Cell]] = {
            name: [*by.get(CUTS, ()), *by.get(VALUES, ()), *by.get(UNSEEN, ())[:1]]
            for name, by in self.cells.items()
        }

    def made(self) -> tuple[dict[str, list[Row]], tuple[str, ...]]:
        regions = reached_regions(self.model, self.usual, most=self.most)
        reached = [each.row for each in regions if each.row is not None]
        anchors = reached or [self.usual]
        plan = DecisionPlan(self.usual, self.most, Random(self.random.random()), self.single)
        decisions = decisions_of(self.model, plan)
        if self.tabled and isinstance(self.model, Tree):
            decisions.add(decisions_of_table(self.model, plan))
        self.decisions_left_out = decisions.left_out
        borders, borderless = self._borders()
        sorts = {
            REACHED: reached,
            DECIDED: [*decisions.rows, *borders, *self._ties()],
            CUTS: self._one_by_one(CUTS),
            VALUES: [*self._one_by_one(VALUES), *decisions.values, *self._in_pairs()],
            UNSEEN: self._one_by_one(UNSEEN),
            MISSING: self._missing(anchors),
            EXTREMES: self._one_by_one(EXTREMES),
            TEXTS: self._one_by_one(TEXTS),
            MIXED: [*self._mixed(anchors), *(self._voted(_VOTED) if _votes(self.model) else ())],
        }
        missed = tuple(f"{each.name}: {each.because}" for each in regions if each.row is None)
        return _each_once(sorts), (*missed, *decisions.not_reached, *borderless)

    def _one_by_one(self, sort: str) -> list[Row]:
        cells = ((name, cell) for name, by_sort in self.cells.items() for cell in by_sort.get(sort, ()))
        return [{**self.usual, name: cell} for name, cell in cells]

    def _in_pairs(self) -> Iterator[Row]:
        """Every cell of the tables that a model has for two columns together."""
        for names, cuts in cuts_of_pairs(self.model):
            axes = [self._cells_of_pair(name, own) for name, own in zip(names, cuts, strict=True)]
            every = list(product(*axes))
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
        profile = self.profiles.get(attribute.name)
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
            case Text(name):
                return " ".join(self._words(name)[:3])
            case Ignored():
                return None
            case _:
                assert_never(attribute)

    def _cells(self, attribute: Attribute) -> Mapping[str, Sequence[Cell]]:
        """The cells that are asked of a column, by sort."""
        match attribute:
            case Nominal(_, values) | Ordinal(_, values):
                unseen = self._not_respelled(attribute, ("never met", *beside(values)))
                return {VALUES: values, UNSEEN: unseen, TEXTS: self._not_respelled(attribute, ODD_TEXTS)}
            case Numeric(name):
                jumps, bends = self.cuts.jumps.get(name, ()), self.cuts.bends.get(name, ())
                profile = self.profiles.get(name)
                quantiles = profile.quantiles if isinstance(profile, NumbersProfile) else ()
                return {
                    CUTS: [cell for cut in jumps for cell in around(cut, single=self.single)],
                    VALUES: (*bends[:: max(1, len(bends) // _POINTS)], *quantiles),
                    EXTREMES: self._extremes(name),
                }
            case Text(name):
                return {TEXTS: (*ODD_TEXTS, *odd_sentences(self._words(name)))}
            case Ignored():
                return {}
            case _:
                assert_never(attribute)

    def _words(self, name: str) -> tuple[str, ...]:
        distributions = self.model.distributions if isinstance(self.model, BayesTables) else ()
        own = (each.words for each in distributions if isinstance(each, Words) and each.name == name)
        return tuple(next(own, ()))

    def _extremes(self, name: str) -> Sequence[Cell]:
        most = math.inf
        if isinstance(self.model, BayesTables):
            # Times the log of a word, a larger count is no float, and what is left then nobody has defined.
            bags = (each.names for each in self.model.distributions if isinstance(each, Bag))
            most = _MOST_COUNTED if any(name in names for names in bags) else most
        elif isinstance(self.model, LinearModel):
            # Prediction refuses rows whose score is too large for a float.
            largest = max((abs(each) for weights in self.model.weights for each in weights), default=1.0)
            most = _MOST_COUNTED / max(1.0, largest)
        return [each for each in EXTREME_NUMBERS if abs(each) < most]

    def _not_respelled(self, attribute: Nominal | Ordinal, texts: Sequence[str]) -> Sequence[Cell]:
        """Those that are no value of the column, nor the number of one in another spelling: '01' for '1'."""
        codes = recoded(np.arange(len(texts), dtype=np.int32), tuple(texts), attribute.values)
        return [text for text, code in zip(texts, codes.tolist(), strict=True) if code < 0]

    def _missing(self, anchors: Sequence[Row]) -> list[Row]:
        names = list(self.usual)
        rows: list[Row] = [dict.fromkeys(names)]
        rows += [{**self.usual, name: None} for name in names]
        rows += [{**dict.fromkeys(names), name: self.usual[name]} for name in names]
        for row in anchors:
            rows.append({**row, self.random.choice(names): None} if names else row)
            rows.append({name: None if self.random.random() < 0.4 else cell for name, cell in row.items()})
        return rows

    def _mixed(self, anchors: Sequence[Row]) -> list[Row]:
        """Some cells of a row that reaches a leaf or rule are replaced by any of the column's odd ones."""
        sorts = (CUTS, VALUES, VALUES, UNSEEN, EXTREMES, TEXTS)
        every: dict[str, list[Cell]] = {
            name: [*(cell for sort in sorts for cell in by_sort.get(sort, ())), None]
            for name, by_sort in self.cells.items()
        }
        rows: list[Row] = []
        for _ in range(_MIXED):
            often, row = self.random.choice((0.15, 0.5, 1.0)), dict(self.random.choice(anchors))
            for name in row:
                if self.random.random() < often:
                    row[name] = self.random.choice(every[name])
            rows.append(row)
        return rows

    def _ties(self) -> list[Row]:
        """Where the probabilities of members are averaged: rows to which two classes are equally probable,
        for the first of them is predicted."""
        model = self.model
        if not isinstance(model, Ensemble) or model.is_numeric or model.combined_by == "votes":
            return []
        if len(model.schema.classes) < 2:
            return []
        rows = list(self._voted(_TIED))
        ordered = np.sort(plain_shares(model, table_of_rows(model, rows)), axis=1)
        tied = (ordered[:, -1] == ordered[:, -2]) & (ordered[:, -1] > 0)
        return [rows[at] for at in np.flatnonzero(tied)[:_TIES]]

    def _voted(self, count: int) -> Iterator[Row]:
        """Rows like those that the model is asked every day: what a member says is seen only where its vote
        turns, which no one cell may do."""
        for _ in range(count):
            yield {name: self._any(name, usual) for name, usual in self.usual.items()}

    def _borders(self) -> tuple[list[Row], list[str]]:
        """Where members vote that add up what each cell says: usual rows, two by two, between whose numbers
        almost nothing lies but that a member's class turns; and the members of which there are none."""
        rows: list[Row] = []
        without: list[str] = []
        members = kind_of(self.model).members(self.model) if isinstance(self.model, Ensemble) else ()
        for number, member in enumerate(members, 1) if _votes(self.model) else ():
            if tree_or_rules(member) is None:
                found = len(rows)
                for row in self._voted(max(1, _TURNS // len(members))):
                    rows += self._border(row_predictor(member), row)
                if len(rows) == found:
                    without.append(f"member {number}: no rows were found between which its class turns")
        return rows, without

    def _border(self, answer: Callable[[Row], object], one: Row) -> tuple[Row, ...]:
        own = {name: cell for name, cell in one.items() if isinstance(cell, float)}
        ends = {name: (cell, self._any(name, cell)) for name, cell in own.items()}
        ways = {name: (cell, to - cell) for name, (cell, to) in ends.items() if isinstance(to, float)}

        def at(part: float) -> Row:
            return {**one, **{name: cell + part * way for name, (cell, way) in ways.items()}}

        if (here := answer(one)) == answer(at(1.0)):
            return ()
        low, high = 0.0, 1.0
        for _ in range(_HALVED[self.single]):
            middle = (low + high) / 2
            low, high = (middle, high) if answer(at(middle)) == here else (low, middle)
        return at(low), at(high)

    def _any(self, name: str, usual: Cell) -> Cell:
        if self.random.random() < 0.2:
            return None
        if isinstance(usual, float) and self.random.random() < 0.5:
            return usual * (1.0 + self.random.gauss(0, 1))
        return self.random.choice(self.known[name] or [usual])


def _votes(model: Exportable) -> bool:
    return (isinstance(model, Ensemble) and model.combined_by == "votes") or (
        isinstance(model, RuleList) and model.matching == "vote"
    )


def _fills(model: Exportable) -> dict[str, float]:
    """The numbers that members of an ensemble take an empty cell for: those of usual rows."""
    members = model.models if isinstance(model, Ensemble) and model.trees is None else ()
    fills = (each.fills.items() for each in members if isinstance(each, LinearModel))
    return {name: fill for each in fills for name, fill in each if isinstance(fill, float)}


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
