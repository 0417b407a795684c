"""Bayes' theorem over many rows: log prior plus what each column adds; then shares that sum to 1.

Shares and answers add up what sets the classes apart: the largest log of each cell is taken out first.

An empty cell adds nothing. Where every class meets a probability of 0 (unsmoothed counts), the shares are
the limit of ever less smoothing: the classes with the fewest zeros are left, and each zero counts as 1/N of
its class. Where a number is so far out that every density is too small for a float, the class is left whose
curves it is nearest to, counted in their widths.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, assert_never

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.errors import SettingError
from clearwood.models.account.account import (
    AccountTerm,
    ByWord,
    KernelDensity,
    NormalDensity,
    PerCount,
    Places,
    Presence,
    Slope,
)
from clearwood.models.decision import ShareSmoothing
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import ROUNDING, apart, log_of, log_priors
from clearwood.models.model import account_of
from clearwood.predicting.added import added, side_codes, term_cells
from clearwood.predicting.columns import column_for, table_for
from clearwood.table.schema import Schema
from clearwood.table.table import Column, SparseColumns, Table

Ready: TypeAlias = tuple[str, Column, Floats | None]  # kind, cells, table: what the native sum takes

_NEARLY: Final = 1e-10
_SMALL: Final = 1e-290  # below, a share loses digits or becomes 0


def shares_of_bayes(model: BayesTables, table: Table, smoothing: ShareSmoothing = None) -> Floats:
    """[row, class] the share of each class, its posterior probability."""
    if smoothing is not None:
        raise SettingError(
            "A Bayes model keeps its own smoothing. Choose it when learning: NaiveBayes(smoothing=…)."
        )
    terms = account_of(model).terms
    shares, impossible = _native.bayes_shares(_apart_of(model, terms, table), log_priors(model), len(table))
    if len(impossible):
        shares[impossible] = normalised(_limit(model, terms, table.take(impossible)))
    return shares


def log_shares_of_bayes(model: BayesTables, table: Table) -> Floats:
    """[row, class] the log of each share, also of one too small for a float; −∞ of an impossible one."""
    shares = shares_of_bayes(model, table)
    logs = log_of(shares)
    small = np.flatnonzero((shares < _SMALL).any(axis=1))
    if len(small):
        joint = log_joint(model, table.take(small))
        top = shares[small].argmax(axis=1)[:, None]
        with np.errstate(invalid="ignore"):
            below = joint - np.take_along_axis(joint, top, axis=1)  # NaN where the shares are a limit
        exact = np.where(np.isnan(below), -np.inf, below + np.take_along_axis(logs[small], top, axis=1))
        logs[small] = np.where(shares[small] < _SMALL, exact, logs[small])
    return logs


def codes_of_bayes(model: BayesTables, table: Table) -> Ints:
    """[row] the position of the likeliest class, or of least expected cost; first of equals."""
    if model.decision.costs:
        shares = shares_of_bayes(model, table)
        paid = np.zeros_like(shares)
        for truth, costs in enumerate(model.decision.costs):
            paid += shares[:, truth, None] * np.array(costs)
        return np.asarray(paid.argmin(axis=1), dtype=np.int32)
    terms = account_of(model).terms
    codes, impossible = _native.bayes_codes(_apart_of(model, terms, table), log_priors(model), len(table))
    if len(impossible):
        codes[impossible] = levelled(_limit(model, terms, table.take(impossible))).argmax(axis=1)
    return codes


def log_joint(model: BayesTables, rows: Any) -> Floats:
    """[row, class] log P(class) + Σ log P(cell|class), as it stands: −∞ where a probability is 0."""
    table = table_for(model, rows)
    return _native.bayes_joint(_ready(model, account_of(model).terms, table), log_priors(model), len(table))


def normalised(joint: Floats) -> Floats:
    """Logs as shares of their sum; the largest is taken out first, so that none underflows to nothing.

    >>> normalised(np.array([[-2000.0, -2000.0]])).tolist()
    [[0.5, 0.5]]
    """
    raised = np.exp(levelled(joint))
    shares: Floats = raised / raised.sum(axis=1, keepdims=True)
    return shares


def levelled(joint: Floats) -> Floats:
    """[row, class] logs below the largest; 0 for those that only rounding sets apart from it, so that it does
    not decide between equal classes.

    >>> levelled(np.array([[-3.0, -3.0 - 1e-15, -4.0]])).tolist()
    [[0.0, 0.0, -1.0]]
    """
    most = joint.max(axis=1, keepdims=True)
    return np.where(joint >= most - ROUNDING * (1.0 + np.abs(most)), 0.0, joint - most)


def _ready(
    model: BayesTables, terms: Sequence[AccountTerm], table: Table, *, apart_first: bool = False
) -> list[Ready]:
    columns = table.columns
    if isinstance(columns, SparseColumns) and columns.known:
        counted = [term for term in terms if isinstance(term, PerCount | Presence)]
        others = [term for term in terms if not isinstance(term, PerCount | Presence)]
        some = [("ready", added_by_bag(counted, columns, level=apart_first), None)] if counted else []
        return [*some, *(_ready_term(model.schema, term, table) for term in others)]
    return [_ready_term(model.schema, term, table) for term in terms]


def _apart_of(model: BayesTables, terms: Sequence[AccountTerm], table: Table) -> list[Ready]:
    """The same without what all classes share; of bells the native sum takes it out, cell by cell."""
    ready: list[Ready] = []
    for kind, cells, logs in _ready(model, terms, table, apart_first=True):
        if kind == "ready":
            ready.append((kind, apart(cells), None))
        else:
            ready.append((kind, cells, logs if logs is None or kind == "bell" else apart(logs)))
    return ready


def _ready_term(schema: Schema, term: AccountTerm, table: Table) -> Ready:
    match term:
        case Places((side,), logs):
            return "codes", side_codes(schema, side, table), np.concatenate([logs[:-3:-1], logs[:-2]])
        case NormalDensity(name, constants, means, precisions):
            return "bell", column_for(schema[name], table), np.vstack([constants, means, precisions])
        case KernelDensity() | ByWord():
            return "ready", added(term, term_cells(schema, term, table)), None
        case PerCount(name, logs):
            return "times", column_for(schema[name], table), logs[None, :]
        case Presence(name, present, absent):
            return "presence", column_for(schema[name], table), np.vstack([present, absent])
        case Places() | Slope():
            raise AssertionError("Bayes tables have no pairs and no weights")
        case _:
            assert_never(term)


def _limit(model: BayesTables, terms: Sequence[AccountTerm], table: Table) -> Floats:
    """[row, class] the logs that are left where every class is 0: of the classes with the fewest zeros."""
    priors = log_priors(model)
    joint = np.tile(priors, (len(table), 1))
    zeros = np.zeros_like(joint)
    zeros[:, np.isneginf(priors)] = np.inf
    away = np.full_like(joint, -np.inf)  # log Σ (distance ÷ width)² over the curves
    beyond = np.zeros(len(table), dtype=bool)
    for term in terms:
        cells = term_cells(model.schema, term, table)
        logs = added(term, cells)
        none = np.isneginf(logs)
        if isinstance(term, NormalDensity | KernelDensity):
            away = np.logaddexp(away, _log_away(term, cells))
            beyond |= none.any(axis=1)
            joint += apart(np.where(none, 0.0, logs))
            continue
        if not none.any():
            joint += apart(logs)
            continue
        times = cells[:, None] if isinstance(term, PerCount) else 1.0
        assert not isinstance(term, ByWord | Slope), "a smoothed word is never impossible"
        assert term.sizes is not None
        # A class without rows has no N: a zero of it says nothing of how rare it would be.
        small = np.where(term.sizes > 0, -log_of(term.sizes), 0.0)
        zeros += np.where(none, times, 0.0)
        joint += apart(np.where(none, times * small, logs))
    out = zeros > zeros.min(axis=1, keepdims=True)
    nearest = np.where(out, np.inf, away).min(axis=1, keepdims=True)
    joint[out | (beyond[:, None] & (away > nearest + _NEARLY))] = -np.inf
    joint[np.isneginf(joint).all(axis=1)] = priors
    return joint


def _log_away(term: NormalDensity | KernelDensity, cells: Column) -> Floats:
    """[row, class] log (distance ÷ width)²/2 from the curve's middle, or from its nearest point; −∞ of an
    empty cell."""
    numbers = cells.astype(np.float64)
    if isinstance(term, NormalDensity):
        logs = 2 * log_of(np.abs(numbers[:, None] - term.means)) + np.log(term.precisions)
    else:
        near = np.array([_distance(numbers, points) for points in term.points]).T
        logs = 2 * (log_of(near) - np.log(term.widths)) - np.log(2)
    return np.where(np.isnan(numbers)[:, None], -np.inf, logs)


def _distance(numbers: Floats, points: Floats) -> Floats:
    """From each number to the nearest of ascending points."""
    after = np.searchsorted(points, numbers)
    below, above = points[np.maximum(after - 1, 0)], points[np.minimum(after, len(points) - 1)]
    return np.minimum(np.abs(numbers - below), np.abs(numbers - above))


# What a bag of sparse columns adds to each class, by the cells that are stored alone.


def added_by_bag(
    terms: Sequence[PerCount | Presence], columns: SparseColumns, *, level: bool = False
) -> Floats:
    """[row, class] the sum of all these terms; with `level` less what all classes share, column by column."""
    joint = np.zeros((columns.matrix.shape[0], len(terms[0].sizes)))
    times = [term for term in terms if isinstance(term, PerCount)]
    if times:
        logs = np.array([term.logs for term in times])
        joint += columns.counts([term.name for term in times]) @ (apart(logs) if level else logs)
    presence = [term for term in terms if isinstance(term, Presence)]
    if presence:
        joint += _present_or_absent(presence, columns, level=level)
    return joint


def _present_or_absent(terms: Sequence[Presence], columns: SparseColumns, *, level: bool) -> Floats:
    """[row, class] as if every column were absent, and what changes where one is present."""
    absent, present = (
        np.array(logs) for logs in zip(*((each.absent, each.present) for each in terms), strict=True)
    )
    if level:
        absent, present = apart(absent), apart(present)
    sure = np.isneginf(absent + present).any(axis=1)
    usual = [terms[j].name for j in np.flatnonzero(~sure).tolist()]
    held = columns.counts(usual)
    held.data[:] = 1.0
    joint: Floats = absent[~sure].sum(axis=0) + held @ (present[~sure] - absent[~sure])
    for j in np.flatnonzero(sure).tolist():  # what is −∞ cannot be taken back
        joint += np.where(columns[terms[j].name][:, None] > 0, present[j], absent[j])
    return joint
