"""Selection: rank the columns of a table by a selector, and keep the best; a step of a recipe.

A ranking sees the target. Done on all rows before they are divided, it has seen those that judge as well, and
every score is too good. As a step of a recipe it sees the training part alone, in every fold anew.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, ClassVar, Final

import numpy as np

from clearwood.arrays import Bools
from clearwood.bounds import whole
from clearwood.errors import Advice, LearningError, Place, SettingError, no_such
from clearwood.learners.learner import Learner
from clearwood.learners.training import made_of, usable_rows
from clearwood.models.lineage import Plain, Selected
from clearwood.models.model import Model
from clearwood.records import JsonRecord
from clearwood.registry import settings_of
from clearwood.selecting import SELECTORS
from clearwood.selecting.ranking import ColumnOrder, ColumnScore, RankedColumn, Ranking, Selector
from clearwood.study.designs import Bootstrap, Design
from clearwood.study.dividing import parts_by_design, rows_to_learn
from clearwood.study.recipe import PreparedRows, Recipe
from clearwood.table.attributes import Numeric, Text
from clearwood.table.table import SparseColumns, Table, set_aside
from clearwood.words.columns import in_columns
from clearwood.words.numbers import in_digits, many, percent_to

USUAL: Final = "mrmr"


@dataclass(frozen=True, slots=True)
class Selection:
    """Learn from the best columns only, as the training rows have it.

    `by` names a selector of `clearwood.catalogue.SELECTORS`, `settings` are its own. Without `keep` the
    selector chooses how many columns to keep; one that only ranks keeps those above 0. Forward and backward
    try sets of columns with a `learner`.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.Recipe(cw.ID3(), before=(Selection("gain", keep=2),)).learn(days).origin.after[0].columns
    ('Outlook', 'Humidity')
    """

    by: str = USUAL
    keep: int | None = None
    learner: Learner[Model] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.by, str):
            raise SettingError(
                f"by names a selector, such as '{USUAL}', and is not {self.by!r}; keep=8 keeps 8."
            )
        selector = SELECTORS.find(self.by)
        object.__setattr__(self, "by", self.by.lower())
        if self.keep is not None:
            object.__setattr__(self, "keep", whole("keep", self.keep, 1))
        known = settings_of(selector.order)
        for name in self.settings:
            if name not in known:
                raise SettingError(f"Selector {self.by}: {no_such('setting', name, known)}")
        checked = {name: known[name].check(value) for name, value in self.settings.items()}
        object.__setattr__(self, "settings", checked)
        if selector.needs_learner and self.learner is None:
            way = Advice("learner", "c45")
            raise SettingError(f"'{self.by}' tries sets of columns with a learner: name one, ", way, ".")
        if self.learner is not None and not selector.needs_learner:
            raise SettingError(f"'{self.by}' tries no learner: leave it out, or use forward or backward.")

    def rank(self, table: Table) -> Ranking:
        """The columns of this table, the best first."""
        selector = SELECTORS[self.by]
        rows = rows_to_rank(table, self.by, selector)
        names = ranked_names(table)
        if self.keep is not None and self.keep > len(names):
            raise SettingError(
                f"{self.keep:,} cannot be kept: there are only {len(names)} columns to choose from. "
                "Keep fewer, or leave the selection out."
            )
        order = self._ordered(selector, rows, names)
        columns = []
        for place, each in enumerate(order.columns, 1):
            kept = each.chosen if selector.chooses else each.score > 0
            kept = kept if self.keep is None else place <= self.keep
            columns.append(RankedColumn(each.name, each.score, place, kept, each.figures))
        texts = [each.name for each in table.schema.inputs if isinstance(each, Text)]
        notes = (*order.notes, *((f"Text is not ranked, and stays: {', '.join(texts)}.",) if texts else ()))
        target, settings = table.schema.predicted.name, self.plain_settings
        return Ranking(self.by, selector.score, target, len(rows), tuple(columns), settings, notes)

    def prepare(self, table: Table) -> PreparedRows:
        """The table with the best columns by its own rows, and what the model's lineage says of it."""
        ranking = self.rank(table)
        kept = tuple(name for name in ranked_names(table) if name in ranking.kept)
        return PreparedRows(
            only_columns(table, kept), Selected(self.by, kept, len(ranking), self.plain_settings)
        )

    @property
    def plain_settings(self) -> dict[str, Plain]:
        """What was given, as a lineage holds it."""
        plain: dict[str, Plain] = {} if self.keep is None else {"keep": self.keep}
        if self.learner is not None:
            tried = self.learner.learner if isinstance(self.learner, Recipe) else self.learner
            plain["learner"] = made_of(tried)
        return {**plain, **self.settings}

    def _ordered(self, selector: Selector, rows: Table, names: list[str]) -> ColumnOrder:
        if has_one_answer(rows):
            note = f"{rows.schema.predicted.name} is the same in all rows: no column can tell anything of it."
            return ColumnOrder(tuple(ColumnScore(name, 0.0) for name in names), (note,))
        tried = {"learner": self.learner} if selector.needs_learner else {}
        return selector.order(rows, self.keep, **tried, **self.settings)


def rank_columns(
    table: Table,
    by: str = USUAL,
    *,
    keep: int | None = None,
    learner: Learner[Model] | None = None,
    **settings: Any,
) -> Ranking:
    """The columns of a table from the best to the worst, by a selector and its settings.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(rank_columns(days, "gain", keep=2))
    gain: 2 of 4 columns kept for PlayTennis, by 14 rows
    column       rank  gain in bits  kept
    Outlook         1        0.2467   yes
    Humidity        2        0.1518   yes
    Wind            3       0.04813
    Temperature     4       0.02922
    """
    return Selection(by, keep, learner, settings).rank(table)


def select(
    table: Table,
    by: str | Ranking = USUAL,
    *,
    keep: int | None = None,
    learner: Learner[Model] | None = None,
    **settings: Any,
) -> Table:
    """The table with its best columns, or with those that a ranking kept; the others are ignored.

    Rows that chose columns cannot judge what is learned from them: to judge, give a `Selection` to a recipe,
    which selects anew in every fold.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> [each.name for each in select(days, "gain", keep=2).schema.inputs]
    ['Outlook', 'Humidity']
    """
    if isinstance(by, Ranking):
        if keep is not None or learner is not None or settings:
            raise SettingError("A ranking is made already: keep and settings are for a selector's name.")
        return only_columns(table, by.kept)
    return only_columns(table, Selection(by, keep, learner, settings).rank(table).kept)


# The rows and columns that a selector ranks by, and a sentence where there are none.


def rows_to_rank(table: Table, by: str, selector: Selector) -> Table:
    """The rows with a target and a weight, of a table that has columns to rank and a fitting target."""
    if not isinstance(table, Table):
        raise LearningError(
            f"Columns are ranked of a Table, not of {type(table).__name__}. "
            "Make one: clearwood.read_table(…, target='…')."
        )
    if isinstance(table.columns, SparseColumns):
        raise LearningError("Columns of a sparse table cannot be ranked. Give them as a dense table.")
    rows = usable_rows(_AnyTarget(), table, reads_text=True)
    if not ranked_names(table):
        raise LearningError("There is no column to rank beside the target.")
    target = table.schema.target
    if isinstance(target, Numeric) and not selector.of_numbers:
        raise LearningError(
            f"'{by}' ranks columns by classes, and '{target.name}' is a number. Use mrmr or relieff, "
            "or declare it: ",
            Advice("kinds", {target.name: "nominal"}),
            ".",
            place=Place(column=target.name),
        )
    return rows


def ranked_names(table: Table) -> list[str]:
    """The columns that are ranked: all inputs but text."""
    return [each.name for each in table.schema.inputs if not isinstance(each, Text)]


def has_one_answer(rows: Table) -> bool:
    """Is the target the same in all rows, so that no column can tell anything of it?"""
    return len(np.unique(rows.target)) < 2


class _AnyTarget:
    """A selector as a learner, for the checks that both share: it takes numbers too."""

    learns_numbers: ClassVar[bool] = True

    def learn(self, _: Table) -> None:
        raise AssertionError("nothing is learned")


# A table of the selected columns: the others are set aside, and the schema says why.


def only_columns(table: Table, kept: Collection[str]) -> Table:
    """The table in which a learner sees these columns, and text, which no selector ranks."""
    gone = [each.name for each in table.schema.inputs if each.name not in kept and not isinstance(each, Text)]
    return set_aside(table, gone, "it was not selected")


# Stability: how often each column is kept when the rows are drawn anew, and is that more than chance?
#
# A selection that changes with a few rows says little about the columns. Nogueira, Sechidis and Brown
# (2018) measure it by 1 − Σ s² ÷ (d · k̄/d · (1 − k̄/d)): the mean variance of a column's being kept, over
# what it would be if k̄ of d columns were drawn by chance. It is 1 where the same columns are kept each
# time and 0 by chance; where always equally many are kept it is Kuncheva's index (2007).


_Z: Final = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class ColumnKept:
    """A column, how many of the samples kept it, the part that is of them, and its mean rank."""

    name: str
    times: int
    part: float
    rank: float


@dataclass(frozen=True, slots=True)
class SelectionStability(JsonRecord):
    """How often each column is kept, the most often kept first, and the index of all of them together.

    `index` is NaN where no column or every column was kept each time: then there was nothing to choose.
    `interval` is at 95 %, for samples drawn from the same rows; None where there is no index. `sizes` are how
    many columns each sample kept.
    """

    by: str
    samples: int
    index: float
    interval: tuple[float, float] | None
    columns: tuple[ColumnKept, ...]
    sizes: tuple[int, ...]

    def __getitem__(self, name: str) -> ColumnKept:
        return next(each for each in self.columns if each.name == name)

    @property
    def in_words(self) -> str:
        """The index in a sentence, by Nogueira's own bounds."""
        if math.isnan(self.index):
            return "no stability: none or all of the columns were kept each time"
        word = "high" if self.index > 0.75 else "fair" if self.index >= 0.4 else "poor"
        low, high = self.interval or (math.nan, math.nan)
        return f"stability {self.index:.2f} ({low:.2f} to {high:.2f}), {word}: 1 is always the same, 0 chance"

    def __str__(self) -> str:
        mean = sum(self.sizes) / len(self.sizes)
        head = f"{self.by}: {self.in_words}"
        rows = [["column", "kept in", "mean rank"]]
        rows += [[each.name, percent_to(each.part, 0), f"{each.rank:.1f}"] for each in self.columns]
        kept = f"{many(self.samples, 'sample')}, {in_digits(mean, 3)} columns kept on average"
        return "\n".join([head, *in_columns(rows, "figures"), kept])


def selection_stability(
    table: Table, selection: Selection | str = "mrmr", design: Design | None = None
) -> SelectionStability:
    """Select by the training rows of each part of a design (50 bootstrap samples unless given).

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis_56"), target="Play")
    >>> steady = selection_stability(days, Selection("gain", keep=2))
    >>> steady.columns[0].name, steady.samples
    ('Outlook', 50)
    """
    how = Selection(selection) if isinstance(selection, str) else selection
    if not isinstance(how, Selection):
        raise SettingError(f"selection must be a Selection, such as Selection('mrmr', keep=8), not {how!r}.")
    design = Bootstrap() if design is None else design
    parts = parts_by_design(design, table)
    table = rows_to_learn(design, table)
    if len(parts) < 2:
        raise SettingError("Stability needs at least two samples: give a design of several, as Folds(10).")
    rankings = [how.rank(table.take(part.learn)) for part in parts]
    names = sorted((each.name for each in rankings[0].columns), key=table.schema.positions.__getitem__)
    kept = np.array([[ranking[name].kept for name in names] for ranking in rankings])
    ranks = np.array([[ranking[name].rank for name in names] for ranking in rankings], dtype=np.float64)
    index, interval = nogueira(kept)
    columns = [
        ColumnKept(name, int(kept[:, at].sum()), float(kept[:, at].mean()), float(ranks[:, at].mean()))
        for at, name in enumerate(names)
    ]
    columns.sort(key=lambda each: (-each.times, each.rank))
    sizes = tuple(kept.sum(axis=1).tolist())
    return SelectionStability(how.by, len(rankings), index, interval, tuple(columns), sizes)


def nogueira(kept: Bools) -> tuple[float, tuple[float, float] | None]:
    """[sample, column] → the index and its interval at 95 % (2018, theorems 6 and 7).

    >>> index, _ = nogueira(np.array([[True, True, False, False]] * 3))
    >>> index
    1.0
    """
    samples, columns = kept.shape
    part = kept.mean(axis=0)
    mean = float(kept.sum(axis=1).mean())
    chance = mean / columns * (1 - mean / columns)
    if not chance > 0 or samples < 2:
        return math.nan, None
    variance = part * (1 - part) * samples / (samples - 1)
    index = 1 - float(variance.mean()) / chance
    sizes = kept.sum(axis=1)
    phi = (
        (kept * part).mean(axis=1)
        - sizes * mean / columns**2
        + index / 2 * (2 * mean * sizes / columns**2 - sizes / columns - mean / columns + 1)
    ) / chance
    spread = 4 / samples**2 * float(((phi - phi.mean()) ** 2).sum())
    half = _Z * math.sqrt(spread)
    return index, (index - half, min(1.0, index + half))
