"""Balancing by neighbours: SMOTE makes rows of rare classes between them, cleaning takes common ones away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Annotated, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats, Ints
from clearwood.balancing.sampling import Balancer, Ratio
from clearwood.bounds import Whole
from clearwood.errors import Advice, LearningError, MissingExtraError, Place
from clearwood.registry import checked
from clearwood.table.attributes import Nominal, Numeric, Ordinal, Text
from clearwood.table.folding import in_order_of_content, rows_by_content
from clearwood.table.table import Column, Table
from clearwood.words.numbers import many

Near: TypeAlias = Annotated[int, Whole(1), "How many of the nearest rows of its class a row is joined to."]


@checked
def make_between(table: Table, seed: int = 0, *, ratio: Ratio = 1.0, k: Near = 5) -> Table:
    """Every row, and made ones of each class until it has `ratio` times the rows of the commonest, or more.

    A made row lies at random between a row of the class and one of its `k` nearest; numbers are compared in
    standard deviations. Nominal values are those that most of the nearest have (SMOTE-NC; SMOTE-N where all
    columns are nominal). Ordinal values and numbers that are whole throughout stay whole.
    """
    points = points_of("SMOTE", in_order_of_content(table), fill=False)
    return _with_made("SMOTE", table, points, seed, ratio, k)


@checked
def make_between_mixed(table: Table, seed: int = 0, *, ratio: Ratio = 1.0, k: Near = 5) -> Table:
    """The same, of a table that must have columns of both kinds."""
    points = points_of("SMOTE-NC", in_order_of_content(table), fill=False)
    if not points.ordered or not points.nominal:
        only = "numbers" if points.ordered else "nominal columns"
        raise LearningError(
            f"SMOTE-NC is for tables of numbers and nominal columns, and this one has {only} alone. "
            "Balance by smote, which takes any of them."
        )
    return _with_made("SMOTE-NC", table, points, seed, ratio, k)


def _with_made(way: str, table: Table, points: RowPoints, seed: int, ratio: float, k: int) -> Table:
    texts = [each.name for each in table.schema.attributes if isinstance(each, Text)]
    if texts:  # no text can be made from two others
        raise LearningError(
            f"{way} makes new rows, and cannot make the text of column '{texts[0]}'. Leave it out: ",
            Advice("ignore", texts[:1]),
            ", or balance by weights or over.",
            place=Place(column=texts[0]),
        )
    sizes = np.bincount(table.target, minlength=len(table.schema.classes))
    least = round(float(sizes.max()) * ratio)
    lacking = [code for code, size in enumerate(sizes.tolist()) if 0 < size < least]
    if not lacking:
        return table
    for code in lacking:
        if (size := int(sizes[code])) <= k:
            smaller = f"take k = {size - 1} or less, or " if size > 1 else ""
            raise LearningError(
                f"{way} joins each row to {many(k, 'other')} of its class, and "
                f"'{table.schema.classes[code]}' has only {many(size, 'row')}: {smaller}balance by over or "
                "weights."
            )
    wanted = {code: least if code in lacking else int(sizes[code]) for code in np.flatnonzero(sizes).tolist()}
    target = in_order_of_content(table).target  # the order of the points
    numbers, codes, classes = rows_between(points.numbers, points.codes, target, wanted, k, seed)
    return _joined(table, _columns(table, points, numbers, codes, classes))


def _columns(
    table: Table, points: RowPoints, numbers: Floats, codes: npt.NDArray[np.int64], classes: Ints
) -> dict[str, Column]:
    """The made rows as columns of the schema, each with values that it can have."""
    made: dict[str, Column] = {}
    back = numbers * points.scales + points.centres
    for place, attribute in enumerate(points.ordered):
        real = table.columns[attribute.name]
        # Rounding in the scaling must not lead beyond the rows that it lies between.
        cells = np.clip(back[:, place], real.min(), real.max())
        if not isinstance(attribute, Numeric) or (real == np.rint(real)).all():
            cells = np.rint(cells)
        made[attribute.name] = cells.astype(real.dtype)
    for place, nominal in enumerate(points.nominal):
        made[nominal.name] = codes[:, place].astype(np.int32)
    made[table.schema.predicted.name] = classes
    return made


def _joined(table: Table, made: dict[str, Column]) -> Table:
    columns = {
        name: np.concatenate([cells, made[name]]) for name, cells in table.columns.items() if name in made
    }
    count = len(made[table.schema.predicted.name])
    places = np.arange(len(table)) if table.places is None else table.places
    # A made row has no place in the table that was read: they are numbered after its last.
    places = np.concatenate([places, int(places.max()) + 1 + np.arange(count)])
    together = table.together
    if together is not None:  # a made row belongs to no group
        together = np.concatenate([together, int(together.max()) + 1 + np.arange(count)])
    return replace(
        table,
        columns=columns,
        rows=len(places),
        places=places,
        together=together,
        times=None,  # nor is a made row from any time
        checked=True,
    )


SMOTE: Final = Balancer(make_between, "Rows of rare classes are made between near ones.", draws=True)
SMOTE_NC: Final = Balancer(make_between_mixed, "The same, of numbers and nominal columns.", draws=True)


@checked
def clean_links(table: Table, _seed: int = 0) -> Table:
    """Of two rows that are each other's nearest, and of different classes, the one of the commoner class goes
    (Tomek links). A missing number stands at its column's mean while distances are measured."""
    return cleaned("Tomek", "TomekLinks", table)


@checked
def clean_contradicted(
    table: Table,
    _seed: int = 0,
    *,
    k: Annotated[int, Whole(1), "How many of the nearest rows must be of its own class."] = 3,
) -> Table:
    """A row goes if one of its `k` nearest is of another class, unless its own is the rarest (ENN)."""
    if len(table) <= k:
        raise LearningError(f"ENN looks at {k} neighbours of a row, and there are {len(table)} rows in all.")
    return cleaned("ENN", "EditedNearestNeighbours", table, n_neighbors=k)


TOMEK: Final = Balancer(clean_links, "Rows of common classes that touch a rarer one go (Tomek links).")
ENN: Final = Balancer(clean_contradicted, "Rows that their neighbours contradict go (edited neighbours).")


# Rows as points: the numbers and values between which a distance can be measured.


@dataclass(frozen=True, slots=True)
class RowPoints:
    """Rows by their numbers in standard deviations (ordinal values are numbered from low to high), and by the
    codes of their nominal values, among which a missing cell is a value of its own.

    Without scaling, a column in small units would decide alone which rows are near each other.
    """

    ordered: tuple[Numeric | Ordinal, ...]
    nominal: tuple[Nominal, ...]
    numbers: Floats  # [row, ordered column]
    codes: npt.NDArray[np.int64]  # [row, nominal column]
    centres: Floats
    scales: Floats

    @property
    def flat(self) -> Floats:
        """[row, ·] all of it as numbers, in which two nominal values are one standard deviation apart."""
        apart = [
            (self.codes[:, [place]] == np.unique(self.codes[:, place])) * np.sqrt(0.5)
            for place in range(len(self.nominal))
        ]
        return np.concatenate([self.numbers, *apart], axis=1)


def points_of(way: str, table: Table, *, fill: bool) -> RowPoints:
    """The rows as points; a missing number or ordinal value is refused, or with `fill` stands at the mean."""
    if table.weights is not None:
        raise LearningError(
            f"{way} takes every row for one, and these have weights. Balance by weights, under or over."
        )
    inputs = table.schema.inputs
    ordered = tuple(each for each in inputs if isinstance(each, Numeric | Ordinal))
    nominal = tuple(each for each in inputs if isinstance(each, Nominal))
    if not ordered and not nominal:
        raise LearningError(f"{way} needs a column of numbers or values to tell which rows are near.")
    numbers = np.empty((len(table), len(ordered)))
    for place, attribute in enumerate(ordered):
        column = table.columns[attribute.name].astype(np.float64)
        known = np.isfinite(column) if isinstance(attribute, Numeric) else column >= 0
        if not known.all():
            if not fill:
                raise _missing(way, table, attribute, known)
            column[~known] = column[known].mean() if known.any() else 0.0
        numbers[:, place] = column
    codes = [table.columns[each.name].astype(np.int64) for each in nominal]
    centres, scales = numbers.mean(axis=0), numbers.std(axis=0)
    scales = np.where(scales > 0, scales, 1.0)
    return RowPoints(
        ordered,
        nominal,
        (numbers - centres) / scales,
        np.stack(codes, axis=1) if codes else np.empty((len(table), 0), dtype=np.int64),
        centres,
        scales,
    )


def _missing(way: str, table: Table, attribute: Numeric | Ordinal, known: Bools) -> LearningError:
    number = min(map(table.row_number, np.flatnonzero(~known).tolist()))
    return LearningError(
        f"{way} makes rows between two others, and column '{attribute.name}' is missing in row {number}. "
        "Leave the column out: ",
        Advice("ignore", [attribute.name]),
        ", fill it beforehand, or balance by weights or over.",
        place=Place(column=attribute.name, row=number),
    )


# What imbalanced-learn does for us: rows made between neighbours, and rows that their neighbours contradict.
#
# It is the only file that imports it, and does so when it is called: it comes with the extra `balance`.


def rows_between(
    numbers: Floats, codes: npt.NDArray[np.int64], target: Ints, sizes: Mapping[int, int], k: int, seed: int
) -> tuple[Floats, npt.NDArray[np.int64], Ints]:
    """The rows that SMOTE makes until each class has its size: their numbers, codes and classes.

    Numbers alone: SMOTE (Chawla et al. 2002). Numbers and codes: SMOTE-NC of the same paper. Codes alone:
    SMOTE-N, likewise.
    """
    over: Any = _imported("over_sampling")
    settings = {"sampling_strategy": dict(sizes), "k_neighbors": k, "random_state": seed % 2**32}
    width = numbers.shape[1]
    if not codes.shape[1]:
        sampler = over.SMOTE(**settings)
    elif not width:
        sampler = over.SMOTEN(**settings)
    else:
        nominal = list(range(width, width + codes.shape[1]))
        sampler = over.SMOTENC(categorical_features=nominal, **settings)
    rows = np.concatenate([numbers, codes.astype(np.float64)], axis=1)
    made, classes = sampler.fit_resample(rows, target)
    made, classes = np.asarray(made)[len(rows) :], np.asarray(classes)[len(rows) :]
    own = np.rint(made[:, width:].astype(np.float64)).astype(np.int64)
    return made[:, :width].astype(np.float64), own, classes.astype(np.int32)


def cleaned(way: str, sampler: str, table: Table, **settings: int) -> Table:
    """The rows that a sampler of imbalanced-learn keeps; or the sentence that a class would have none."""
    order = rows_by_content(table)
    made = getattr(_imported("under_sampling"), sampler)(**settings)
    made.fit_resample(points_of(way, table.take(order), fill=True).flat, table.target[order])
    kept = np.sort(order[np.asarray(made.sample_indices_, dtype=np.int64)])
    lost = np.setdiff1d(table.target, table.target[kept])
    if len(lost):
        raise LearningError(
            f"{way} would leave no row of the class '{table.schema.classes[int(lost[0])]}': each is near "
            "another class. Balance by weights or over."
        )
    return table.take(kept)


def _imported(part: str) -> Any:
    try:
        if part == "over_sampling":
            import imblearn.over_sampling as module
        else:
            import imblearn.under_sampling as module
    except ImportError:
        raise MissingExtraError(
            "SMOTE, Tomek links and edited neighbours come with imbalanced-learn: "
            "pip install 'clearwood[balance]'. Weights, under and over need nothing more."
        ) from None
    loaded: ModuleType = module
    return loaded
