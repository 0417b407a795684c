"""By group: are the rows of one group answered as often, and as rightly, as those of another?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, Literal, assert_never

import numpy as np

from clearwood.arrays import Bools, Longs
from clearwood.counting.coding import interval_codes
from clearwood.errors import Advice, ColumnError, SchemaError, check_known
from clearwood.measures.inference import difference_interval, ratio_interval, wilson
from clearwood.records import dataclass, finite_or_none, json_of
from clearwood.scoring.clustered_rows import rows_in_groups
from clearwood.scoring.positive import check_positive
from clearwood.scoring.predictions import ClassPredictions, rows_that_speak
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text, natural_order
from clearwood.table.raw import Raw, RawNumbers, RawStrings
from clearwood.table.table import Table
from clearwood.words.columns import in_columns
from clearwood.words.numbers import amount, number

FEWEST: Final = 10.0  # rows: a rate of fewer is not given
SMALL: Final = 30.0  # rows: a group of fewer that others are compared with is named as such
FOUR_FIFTHS: Final = 0.8


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many rows; of fewer than ten it is not given.

    Of sampling and importance weights they are the effective rows (Kish) that this very rate is of; where
    rows belong together, as many rows by themselves as would tell as much.
    """

    count: float
    total: float

    @property
    def is_given(self) -> bool:
        return self.total >= FEWEST

    @property
    def value(self) -> float:
        """NaN where it is not given."""
        return self.count / self.total if self.is_given else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, at 95 %."""
        low, high = wilson(self.count, self.total)
        return float(low), float(high)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`; null where it is not given."""
        interval = self.interval if self.is_given else None
        return {"value": finite_or_none(self.value), "interval": interval, **json_of(self)}

    def __str__(self) -> str:
        return "{:.3f} ({:.3f} to {:.3f})".format(self.value, *self.interval) if self.is_given else "–"


@dataclass(frozen=True, slots=True)
class RateEntry:
    """A rate as it is called, the criterion that its being equal is, and the rows that it is a part of."""

    label: str
    criterion: str
    of: str


RATES: Final[dict[str, RateEntry]] = {
    "selected": RateEntry("predicted {favourable}", "demographic parity", "predicted rows"),
    "recall": RateEntry("recall", "equal opportunity", "predicted rows of {positive}"),
    "false_alarms": RateEntry("false positive rate", "", "predicted rows of other classes"),
    "precision": RateEntry("precision", "predictive parity", "rows predicted {positive}"),
    "accuracy": RateEntry("accuracy", "", "predicted rows"),
    "answered": RateEntry("predicted at all", "", "rows"),
}


@dataclass(frozen=True, slots=True)
class GroupRates:
    """The rates of one group's rows, by the names of `RATES`; `rows` are counted by weight."""

    group: str
    rows: float
    rates: dict[str, Rate]

    def to_json(self) -> dict[str, Any]:
        return json_of(self, "rates", **self.rates)


@dataclass(frozen=True, slots=True)
class RateGap:
    """A group's rate less that of the reference group, with its interval."""

    group: str
    gap: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class SelectionRatio:
    """How often a group gets the favourable answer, relative to the group that gets it most often."""

    group: str
    ratio: float
    interval: tuple[float, float] | None

    @property
    def shown(self) -> Literal["below", "at least", "open"]:
        """What the interval shows of the four-fifths rule: that it is broken, that it is kept, or neither."""
        low, high = self.interval or (-math.inf, math.inf)
        if high < FOUR_FIFTHS - 1e-12:  # 3 ⁄ 5 of 3 ⁄ 4 is four fifths, whatever rounding says
            return "below"
        return "at least" if low >= FOUR_FIFTHS - 1e-12 else "open"

    @property
    def verdict(self) -> str:
        """The same in words, with what the figure alone says where the interval leaves it open."""
        if self.shown != "open":
            return f"shown to be {self.shown} four fifths"
        figure = "below 0.8" if self.ratio < FOUR_FIFTHS - 1e-12 else "at least 0.8"
        because = "there is no interval" if self.interval is None else "the interval includes 0.8"
        return f"open: the figure is {figure}, but {because}"

    def to_json(self) -> dict[str, Any]:
        return json_of(self, shown=self.shown, verdict=self.verdict)


@dataclass(frozen=True, slots=True)
class ByGroup:
    """The rates of each group about a class, and the gaps to the largest group, the `reference`.

    `gaps` has, for each rate, those of the other groups for which both rates are given; their intervals hold
    together at 95 % (Bonferroni). `ratios` are those of the four-fifths rule (EEOC 1978), their intervals
    likewise. `favourable` is the class that people want to get.
    """

    column: str
    positive: str
    favourable: str
    reference: str
    groups: tuple[GroupRates, ...]
    gaps: dict[str, tuple[RateGap, ...]]
    ratios: tuple[SelectionRatio, ...]
    favourable_named: bool = False  # else it is taken to be the positive class
    most_selected: str = ""  # the group with the largest rate of favourable answers
    shows_answered: bool = False  # some rows are left unanswered
    of_units: bool = False  # rows belong together, as those of one customer do

    @property
    def shown(self) -> list[str]:
        """The rates that are printed: whether rows are answered at all only where some are not."""
        return [name for name in RATES if name != "answered" or self.shows_answered]

    def label(self, rate: str) -> str:
        """A rate's name."""
        return RATES[rate].label.format(positive=self.positive, favourable=self.favourable)

    def reasons(self) -> list[str]:
        """Why rates are not given, a sentence for each group, and which groups that others are compared with
        are themselves of few rows."""
        lines = []
        rows = {each.group: each.rates["selected"].total for each in self.groups}
        if self.ratios and rows[self.most_selected] < SMALL:
            lines.append(
                f"The ratios are relative to {self.most_selected}, the group most often predicted "
                f"{self.favourable}, which has {rows[self.most_selected]:.4g} rows: they are as uncertain as "
                "its rate."
            )
        if len(self.groups) > 1 and rows[self.reference] < SMALL:
            lines.append(
                f"The gaps are to {self.reference}, the largest group, which has {rows[self.reference]:.4g} "
                "rows: they are as uncertain as its rates."
            )
        for each in self.groups:
            few = [name for name in self.shown if not each.rates[name].is_given]
            of = {name: RATES[name].of.format(positive=self.positive) for name in few}
            short = [f"{self.label(name)} ({each.rates[name].total:.4g} {of[name]})" for name in few]
            if short:
                lines.append(f"{each.group}: too few rows for {', '.join(short)}.")
        return lines

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`; null where a rate is not given."""
        return json_of(
            self,
            *("ratios", "favourable_named", "most_selected", "shows_answered", "of_units"),
            four_fifths=self.ratios,
            most_selected=self.most_selected,
            not_given=self.reasons(),
            intervals_by_groups_of_rows=self.of_units,
        )

    def __str__(self) -> str:
        return by_group_text(self)


def rates_by_group(
    predictions: ClassPredictions, groups: NamedGroups, positive: str, *, favourable: str | None = None
) -> ByGroup:
    """The rates of each group, whichever models answered; `groups` are of the same rows.

    `favourable` is the answer that people want, `positive` itself unless it is named.

    >>> import clearwood as cw
    >>> from clearwood.scoring.predictions import predictions_of
    >>> from clearwood.scoring.by_group import named_groups
    >>> table = cw.read_table({"x": [0, 1, 1] * 20, "sex": list("ffm") * 20, "y": [0, 1, 1] * 20}, target="y")
    >>> predictions = predictions_of(cw.CART().learn(table), table)
    >>> gap = rates_by_group(predictions, named_groups(table, "sex"), "1").gaps["selected"][0]
    >>> gap.group, gap.gap, [round(end, 3) for end in gap.interval]
    ('m', 0.5, [0.281, 0.648])
    """
    classes = predictions.classes
    check_positive(positive, classes)
    wanted_by_people = positive if favourable is None else favourable
    check_positive(wanted_by_people, classes)
    if not len(predictions):
        raise SchemaError("There are no rows with a true class to compare groups by.")
    place, good = classes.index(positive), classes.index(wanted_by_people)
    lines = tuple(
        _rates(predictions, groups.of == code, name, place, good)
        for code, name in enumerate(groups.names)
        if (groups.of == code).any()
    )
    reference = max(lines, key=lambda each: each.rows).group
    selected = [each for each in lines if each.rates["selected"].is_given]
    most = max(selected, key=lambda each: each.rates["selected"].value) if len(selected) > 1 else None
    return ByGroup(
        column=groups.column,
        positive=positive,
        favourable=wanted_by_people,
        favourable_named=favourable is not None,
        groups=lines,
        reference=reference,
        gaps={name: _gaps(lines, reference, name) for name in RATES},
        ratios=() if most is None else tuple(_ratios(selected, most)),
        most_selected="" if most is None else most.group,
        of_units=predictions.units is not None,
        shows_answered=any(each.rates["answered"].count < each.rates["answered"].total for each in lines),
    )


def _rates(rows: ClassPredictions, inside: Bools, name: str, place: int, good: int) -> GroupRates:
    group = rows.take(inside)
    truth, answers, weights = group.truth, group.answers, group.weights
    answered, own, raised = answers >= 0, truth == place, answers == place

    def rate(which: Bools, of: Bools) -> Rate:
        weight = float(weights[of].sum())
        count, told = float(weights[which & of].sum()), rows_that_speak(group, of)
        if group.units is not None and weight > 0:
            told = rows_in_groups(weights[of], which[of].astype(np.float64), group.units[of])
        speaks = group.weighs or group.units is not None
        return Rate(count * told / weight if speaks and weight > 0 else count, told)

    return GroupRates(
        name,
        float(weights.sum()),
        {
            "selected": rate(answers == good, answered),
            "recall": rate(raised, answered & own),
            "false_alarms": rate(raised, answered & ~own),
            "precision": rate(own, raised),
            "accuracy": rate(answers == truth, answered),
            "answered": rate(answered, np.ones(len(truth), dtype=np.bool_)),
        },
    )


def _gaps(lines: Sequence[GroupRates], reference: str, name: str) -> tuple[RateGap, ...]:
    base = next(each for each in lines if each.group == reference).rates[name]
    others = [each for each in lines if each.group != reference and each.rates[name].is_given]
    if not base.is_given or not others:
        return ()
    sure = 1 - 0.05 / len(others)  # all intervals together at 95 %
    gaps = []
    for each in others:
        rate = each.rates[name]
        interval = difference_interval(rate.count, rate.total, base.count, base.total, sure)
        gaps.append(RateGap(each.group, rate.value - base.value, interval))
    return tuple(gaps)


def _ratios(lines: Sequence[GroupRates], most: GroupRates) -> list[SelectionRatio]:
    top = most.rates["selected"]
    if not top.count > 0:
        return []  # nobody is answered so
    others = [(each.group, each.rates["selected"]) for each in lines if each.group != most.group]
    sure = 1 - 0.05 / len(others)  # all intervals together at 95 %
    ratios = []
    for group, rate in others:
        interval = ratio_interval(rate.count, rate.total, top.count, top.total, sure)
        ratios.append(SelectionRatio(group, rate.value / top.value, interval))
    return ratios


# Rows by the values of a column, each group with a name: what scores are compared between.


_FEW: Final = 10  # different numbers that are groups by themselves
MISSING_GROUP: Final = "(missing)"


@dataclass(frozen=True, slots=True, eq=False)
class NamedGroups:
    """[row] the position of its group in `names`."""

    column: str
    names: tuple[str, ...]
    of: Longs

    def take(self, rows: Longs) -> NamedGroups:
        """Those of these rows."""
        return NamedGroups(self.column, self.names, self.of[rows])


def named_groups(table: Table, column: str) -> NamedGroups:
    """The rows by their values of a column; many different numbers are divided into quarters of the rows.
    Empty cells are a group of their own.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> groups = named_groups(days, "Wind")
    >>> groups.names, groups.of[:4].tolist()
    (('Strong', 'Weak'), [1, 0, 1, 1])
    """
    attribute = table.schema[column]
    if isinstance(attribute, Ignored) or column not in table.columns:
        raise SchemaError(
            f"Column '{column}' was left out when the table was read: no groups are known. Keep it: ",
            Advice("kinds", {column: "nominal"}),
            ".",
        )
    cells = table.columns[column]
    match attribute:
        case Nominal(_, values) | Ordinal(_, values):
            names, of = list(values), np.where(cells >= 0, cells, len(values)).astype(np.int64)
        case Numeric():
            names, of = _of_numbers(np.asarray(cells, dtype=np.float64))
        case Text():
            raise SchemaError(f"Column '{column}' is text, which has no groups. Name another.")
        case _:
            assert_never(attribute)
    return _occurring(column, [*names, MISSING_GROUP], of)


def groups_in_source(raw: Raw, column: str) -> NamedGroups:
    """The same of a source that is read but not yet coded: a column that a model ignores."""
    check_known("column", column, raw.names, error=ColumnError)
    cells = raw.columns[raw.names.index(column)]
    match cells:
        case RawNumbers():
            names, of = _of_numbers(np.asarray(cells.values, dtype=np.float64))
        case RawStrings(codes, values, declared):
            names = list(values if declared else natural_order(values))
            place = {name: at for at, name in enumerate(names)}
            places = np.array([*(place[each] for each in values), len(names)])
            of = places[np.where(codes >= 0, codes, len(values))].astype(np.int64)
        case _:
            assert_never(cells)
    return _occurring(column, [*names, MISSING_GROUP], of)


def _of_numbers(cells: Any) -> tuple[list[str], Longs]:
    known = ~np.isnan(cells)
    values = np.unique(cells[known])
    if len(values) <= _FEW:
        of = np.where(known, np.searchsorted(values, cells), len(values))
        return [number(float(each)) for each in values], of.astype(np.int64)
    cuts = np.unique(np.quantile(cells[known], (0.25, 0.5, 0.75), method="inverted_cdf"))
    cuts = cuts[cuts < values[-1]]
    ends = [number(float(cut)) for cut in cuts]
    names = [f"≤ {ends[0]}", *(f"{a} to {b}" for a, b in pairwise(ends)), f"> {ends[-1]}"]
    return names, interval_codes(cells, cuts, missing=len(names)).astype(np.int64)


def _occurring(column: str, names: list[str], of: Longs) -> NamedGroups:
    """Without the groups that no row is in."""
    met = np.bincount(of, minlength=len(names)) > 0
    place = np.cumsum(met) - 1
    return NamedGroups(column, tuple(n for n, there in zip(names, met, strict=True) if there), place[of])


# Rates by group as text: the rates, the gaps between groups, the four-fifths rule, and what is not known.


def by_group_text(groups: ByGroup) -> str:
    """What a terminal shows."""
    rates = [[groups.column, "rows", *map(groups.label, groups.shown)]]
    rates += [
        [each.group, amount(each.rows), *(str(each.rates[name]) for name in groups.shown)]
        for each in groups.groups
    ]
    lines = [f"By {groups.column}, about the class {groups.positive}", *in_columns(rates)]
    lines += [*groups.reasons(), "", *_gap_lines(groups)]
    if groups.ratios:
        lines += ["", f"Four-fifths rule: predicted {groups.favourable}, relative to {groups.most_selected}"]
        if not groups.favourable_named:
            lines.append(
                f"This takes {groups.favourable} for the prediction that people want: name it if not."
            )
        rows = [[groups.column, "ratio", "95 % interval", ""]]
        for each in groups.ratios:
            interval = "–" if each.interval is None else "{:.3f} to {:.3f}".format(*each.interval)
            rows.append([each.group, f"{each.ratio:.3f}", interval, each.verdict])
        lines += in_columns(rows)
    if groups.of_units:
        lines += ["", "Rows belong together: intervals are by their groups, not by rows."]
    return "\n".join(lines)


def _gap_lines(groups: ByGroup) -> list[str]:
    if len(groups.groups) < 2:
        return ["There is one group: nothing to compare."]
    rows = [[f"Gaps to {groups.reference}", "", "gap", "95 % interval", "criterion"]]
    for name in groups.shown:
        for each in groups.gaps[name]:
            low, high = each.interval
            criterion = [RATES[name].criterion, "" if low <= 0 <= high else "beyond chance"]
            figures = f"{each.gap:+.3f}", f"{low:+.3f} to {high:+.3f}"
            rows.append(
                [
                    *(groups.label(name), each.group),
                    *(figure.replace("-", "−") for figure in figures),
                    ", ".join(filter(None, criterion)),
                ]
            )
    if len(rows) == 1:
        return ["No rate is known of two groups: there are too few rows to compare them."]
    return in_columns(rows)
