"""Bayes' theorem over many rows: log prior plus what each column adds; then shares that sum to 1.

Shares and answers add up what sets the classes apart: the largest log of each cell is taken out first.

An empty cell adds nothing. Where every class meets a probability of 0 (unsmoothed counts), the shares are
the limit of ever less smoothing: the classes with the fewest zeros are left, and each zero counts as 1/N of
its class. Where a number is so far out that every density is too small for a float, the class is left whose
curves it is nearest to, counted in their widths.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Final, TypeAlias, assert_never

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.counting.coding import interval_codes
from clearwood.errors import SettingError
from clearwood.models.decision import ShareSmoothing
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import (
    ROUNDING,
    BayesTerm,
    Bell,
    ByValue,
    Hills,
    Presence,
    Times,
    apart,
    log_of,
    log_priors,
    terms_of,
)
from clearwood.models.kinds.bayes.word_terms import ByWord
from clearwood.predicting.columns import column_for, table_for
from clearwood.table.table import Column, SparseColumns, Table
from clearwood.table.text import words_of

Ready: TypeAlias = tuple[str, Column, Floats | None]  # kind, cells, table: what the native sum takes

_NEARLY: Final = 1e-10
_SMALL: Final = 1e-290  # below, a share loses digits or becomes 0
_MOST_AT_ONCE: Final = 1 << 22  # numbers of a kernel's matrix


def shares_of_bayes(model: BayesTables, table: Table, smoothing: ShareSmoothing = None) -> Floats:
    """[row, class] the share of each class, its posterior probability."""
    if smoothing is not None:
        raise SettingError(
            "A Bayes model keeps its own smoothing. Choose it when learning: NaiveBayes(smoothing=…)."
        )
    terms = terms_of(model)
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
    terms = terms_of(model)
    codes, impossible = _native.bayes_codes(_apart_of(model, terms, table), log_priors(model), len(table))
    if len(impossible):
        codes[impossible] = levelled(_limit(model, terms, table.take(impossible))).argmax(axis=1)
    return codes


def log_joint(model: BayesTables, rows: Any) -> Floats:
    """[row, class] log P(class) + Σ log P(cell|class), as it stands: −∞ where a probability is 0."""
    table = table_for(model, rows)
    return _native.bayes_joint(_ready(model, terms_of(model), table), log_priors(model), len(table))


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


def term_cells(model: BayesTables, term: BayesTerm, table: Table) -> Column:
    """A term's cells: codes of values or of intervals, or numbers."""
    column = column_for(model.schema[term.name], table)
    if isinstance(term, ByValue) and term.cuts is not None:
        return interval_codes(column, term.cuts)
    return column


def added(term: BayesTerm, cells: Column) -> Floats:
    """[row, class] what the term adds for each cell; 0 for an empty one."""
    match term:
        case ByValue(_, logs, unseen):
            return np.vstack([logs, unseen, np.zeros_like(unseen)])[cells]  # −2 and −1 pick the two last
        case Bell(_, constants, means, precisions):
            away = cells.astype(np.float64)[:, None] - means
            with np.errstate(over="ignore"):
                return np.where(np.isnan(away), 0.0, constants - away * away * precisions)
        case Hills():
            return _hills(term, cells)
        case Times(_, logs, _):
            with np.errstate(invalid="ignore"):
                return np.where(cells[:, None] > 0, cells[:, None] * logs, 0.0)
        case Presence(_, present, absent, _):
            known = np.where(cells[:, None] > 0, present, absent)
            return np.where(np.isnan(cells)[:, None], 0.0, known)
        case ByWord():
            return words_added(term, cells)
        case _:
            assert_never(term)


def _hills(term: Hills, cells: Column) -> Floats:
    met, place = np.unique(cells.astype(np.float64), return_inverse=True)
    logs = np.zeros((len(met), len(term.points)))
    for c, (points, shares, width) in enumerate(zip(term.points, term.shares, term.widths, strict=True)):
        step = max(1, _MOST_AT_ONCE // len(points))
        for first in range(0, len(met), step):
            with np.errstate(over="ignore"):
                away = (met[first : first + step, None] - points) / width
                heights = shares - 0.5 * away * away
            most = heights.max(axis=1, keepdims=True)
            with np.errstate(invalid="ignore"):
                summed = most[:, 0] + np.log(np.exp(heights - most).sum(axis=1))
            logs[first : first + step, c] = np.where(np.isneginf(most[:, 0]), -np.inf, summed)
        logs[:, c] -= np.log(width * np.sqrt(2 * np.pi))
    logs[np.isnan(met)] = 0.0
    return logs[place.reshape(-1)]


def _ready(
    model: BayesTables, terms: list[BayesTerm], table: Table, *, apart_first: bool = False
) -> list[Ready]:
    columns = table.columns
    if isinstance(columns, SparseColumns) and columns.known:
        counted = [term for term in terms if isinstance(term, Times | Presence)]
        others = [term for term in terms if not isinstance(term, Times | Presence)]
        some = [("ready", added_by_bag(counted, columns, level=apart_first), None)] if counted else []
        return [*some, *(_ready_term(term, term_cells(model, term, table)) for term in others)]
    return [_ready_term(term, term_cells(model, term, table)) for term in terms]


def _apart_of(model: BayesTables, terms: list[BayesTerm], table: Table) -> list[Ready]:
    """The same without what all classes share; of bells the native sum takes it out, cell by cell."""
    ready: list[Ready] = []
    for kind, cells, logs in _ready(model, terms, table, apart_first=True):
        if kind == "ready":
            ready.append((kind, apart(cells), None))
        else:
            ready.append((kind, cells, logs if logs is None or kind == "bell" else apart(logs)))
    return ready


def _ready_term(term: BayesTerm, cells: Column) -> Ready:
    match term:
        case ByValue(_, logs, unseen):
            return "codes", cells, np.vstack([unseen, np.zeros_like(unseen), logs])
        case Bell(_, constants, means, precisions):
            return "bell", cells, np.vstack([constants, means, precisions])
        case Hills() | ByWord():
            return "ready", added(term, cells), None
        case Times(_, logs, _):
            return "times", cells, logs[None, :]
        case Presence(_, present, absent, _):
            return "presence", cells, np.vstack([present, absent])
        case _:
            assert_never(term)


def _limit(model: BayesTables, terms: list[BayesTerm], table: Table) -> Floats:
    """[row, class] the logs that are left where every class is 0: of the classes with the fewest zeros."""
    priors = log_priors(model)
    joint = np.tile(priors, (len(table), 1))
    zeros = np.zeros_like(joint)
    zeros[:, np.isneginf(priors)] = np.inf
    away = np.full_like(joint, -np.inf)  # log Σ (distance ÷ width)² over the curves
    beyond = np.zeros(len(table), dtype=bool)
    for term in terms:
        cells = term_cells(model, term, table)
        logs = added(term, cells)
        none = np.isneginf(logs)
        if isinstance(term, Bell | Hills):
            away = np.logaddexp(away, _log_away(term, cells))
            beyond |= none.any(axis=1)
            joint += apart(np.where(none, 0.0, logs))
            continue
        if not none.any():
            joint += apart(logs)
            continue
        times = cells[:, None] if isinstance(term, Times) else 1.0
        assert not isinstance(term, ByWord), "a smoothed word is never impossible"
        # A class without rows has no N: a zero of it says nothing of how rare it would be.
        small = np.where(term.sizes > 0, -log_of(term.sizes), 0.0)
        zeros += np.where(none, times, 0.0)
        joint += apart(np.where(none, times * small, logs))
    out = zeros > zeros.min(axis=1, keepdims=True)
    nearest = np.where(out, np.inf, away).min(axis=1, keepdims=True)
    joint[out | (beyond[:, None] & (away > nearest + _NEARLY))] = -np.inf
    joint[np.isneginf(joint).all(axis=1)] = priors
    return joint


def _log_away(term: Bell | Hills, cells: Column) -> Floats:
    """[row, class] log (distance ÷ width)²/2 from the curve's middle, or from its nearest point; −∞ of an
    empty cell."""
    numbers = cells.astype(np.float64)
    if isinstance(term, Bell):
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


def added_by_bag(terms: Sequence[Times | Presence], columns: SparseColumns, *, level: bool = False) -> Floats:
    """[row, class] the sum of all these terms; with `level` less what all classes share, column by column."""
    joint = np.zeros((columns.matrix.shape[0], len(terms[0].sizes)))
    times = [term for term in terms if isinstance(term, Times)]
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


_FEW: Final = 8  # texts


def words_added(term: ByWord, texts: Column) -> Floats:
    """[row, class] what each text adds."""
    if len(texts) <= _FEW:  # no table of the whole vocabulary for a handful of texts
        return np.array([_one_added(term, text) for text in texts]).reshape(-1, len(term.base))
    reading = term.reading
    return _native.add_words(
        texts.tolist(),
        list(term.words),
        term.logs,
        term.base,
        term.once,
        reading.lower,
        reading.ngrams,
        list(reading.stop_words),
    )


def _one_added(term: ByWord, text: str | None) -> Floats:
    """[class] what one text adds, in the order in which the native sum adds."""
    if text is None:
        return np.zeros_like(term.base)
    logs, words = term.base.copy(), words_of(text, term.reading)
    for word in dict.fromkeys(words) if term.once else words:
        place = bisect_left(term.words, word)
        if place < len(term.words) and term.words[place] == word:
            logs += term.logs[place]
    return logs
