"""Known rows: whether a model was learned from these rows, in any order, and what they chose of it since."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from hashlib import blake2b
from typing import Final, TypeAlias, assert_never

from clearwood._native import row_marks
from clearwood.catalogue import PRUNERS, entry_of
from clearwood.learners.rules import BY_TESTS
from clearwood.learners.training import fingerprint
from clearwood.models import lineage
from clearwood.models.columns_used import columns_used
from clearwood.models.model import Model
from clearwood.models.origin import Origin
from clearwood.models.plain import LearnerAsData, Plain
from clearwood.models.profile import Profile
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table

Marks: TypeAlias = Mapping[str, int]  # by column; marks of blocks add up to those of the whole

_ALL: Final = (1 << 64) - 1


def row_marks_of(table: Table, only: Collection[str] | None = None) -> dict[str, int]:
    """The marks of the columns of values and numbers (`only` these), each cell taken with its row's answer.

    They do not depend on the order of rows, but on which cell stands beside which answer.

    >>> import numpy as np
    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> reversed_days, fewer_days = days.take(np.arange(14)[::-1]), days.take(np.arange(1, 14))
    >>> row_marks_of(days) == row_marks_of(reversed_days), row_marks_of(days) == row_marks_of(fewer_days)
    (True, False)
    """
    target = table.schema.target
    if target is None or target.name not in table.columns:
        return {}
    names = [
        each.name
        for each in table.schema.attributes
        if isinstance(each, Nominal | Ordinal | Numeric)
        and each.name in table.columns
        and (only is None or each.name in only)
    ]
    marks = row_marks([table.columns[name] for name in names], table.columns[target.name])
    return dict(zip(names, marks, strict=True))


def joined_marks(marks: Marks, more: Marks) -> dict[str, int]:
    """The marks of both sets of rows together."""
    return {name: (marks.get(name, 0) + mark) & _ALL for name, mark in more.items()}


def written_marks(marks: Marks) -> dict[str, str]:
    """As a profile keeps them: sixteen digits each."""
    return {name: f"{mark:016x}" for name, mark in marks.items()}


def unordered_mark(model: Model, table: Table) -> str:
    """Sixteen digits of the rows, whatever their order, by the columns that the model asks for; "" where none
    of these has marks."""
    marks = row_marks_of(table, columns_used(model))
    if not marks:
        return ""
    return blake2b(json.dumps([len(table), sorted(marks.items())]).encode(), digest_size=8).hexdigest()


def are_training_rows(profile: Profile | None, rows: int, marks: Marks) -> bool:
    """Are so many rows with these marks those that the profile is of? Columns without marks are not asked."""
    return profile is not None and profile.rows == rows and _are(profile.marks, marks)


def hold_training_rows(profile: Profile | None, rows: int, marks: Marks) -> bool:
    """Are so many rows with these marks the table of which the profile's rows were a part?"""
    return profile is not None and profile.whole_rows == rows and _are(profile.whole_marks, marks)


def _are(known: Mapping[str, str], marks: Marks) -> bool:
    return bool(marks) and all(known.get(name) == mark for name, mark in written_marks(marks).items())


def has_seen(model: Model, table: Table) -> bool:
    """Was the model learned from these rows, in whatever order? Its profile must say so."""
    profile = model.profile
    if profile is None or profile.rows != len(table):
        return False
    return are_training_rows(profile, len(table), row_marks_of(table, columns_used(model)))


def learned_among(model: Model, table: Table) -> int:
    """How many of these rows the model was learned from, where they are the table of which its training rows
    were a part, in whatever order; 0 of any others, of the training rows alone as well."""
    profile = model.profile
    if profile is None or profile.whole_rows != len(table):
        return 0
    held = hold_training_rows(profile, len(table), row_marks_of(table, columns_used(model)))
    return profile.rows if held else 0


def among_words(among: int, rows: int) -> str:
    """The beginning of a sentence on rows of which some were learned from.

    >>> among_words(210, 300)
    'The model was learned from 210 of these 300 rows'
    """
    return f"The model was learned from {among:,} of these {rows:,} rows"


def learned_from_words(model: Model, table: Table) -> str:
    """The beginning of a sentence on rows of which the model was learned from all or some; "" of others."""
    if fingerprint(table) == model.origin.fingerprint or has_seen(model, table):
        return "These are the rows that the model was learned from"
    among = learned_among(model, table)
    return among_words(among, len(table)) if among else ""


# What rows chose: a score on rows that chose between models is too good, and says what they chose.


_CALIBRATION: Final = "the calibration"
_DECIDED: Final = {
    "cutoff": "the cutoff",
    "costs": "the costs",
    "refer": "the probability below which rows are referred",
    "prevalence": "the prevalence",
    "priors": "the priors",
}


def chosen_in_learning(origin: Origin) -> tuple[str, ...]:
    """What the rows that a model was learned from chose beside it: by folds of them, by tests, by pruning.

    >>> chosen_in_learning(Origin("CART", {"alpha": "cv"}))
    ('the price of a leaf, by cross-validation',)
    >>> chosen_in_learning(Origin("CART", {"alpha": 0.01}))
    ()
    """
    chosen = _by_learner(origin.learner, origin.settings)
    chosen += (what for done in origin.after for what in _by_training_rows(done))
    return tuple(dict.fromkeys(chosen))


def chosen_since(origin: Origin, *marks: str) -> tuple[str, ...]:
    """What the rows of these marks chose after the model had been learned from others: their fingerprint, and
    the mark that they have in any order.

    >>> pruned = lineage.Pruned("reduced-error", rows="fresh", fingerprint="b9")
    >>> chosen_since(Origin("ID3", after=(pruned,)), "b9")
    ('the pruning',)
    """
    known = frozenset(filter(None, marks))
    chosen = (what for done in origin.after for what in _by_fresh_rows(done, known))
    return tuple(dict.fromkeys(chosen))


def also_chosen(what: tuple[str, ...]) -> str:
    """A clause on a score, or nothing where its rows chose nothing.

    >>> also_chosen(("the pruning", "the calibration"))
    'these rows also chose the pruning and the calibration'
    """
    return f"these rows also chose {' and '.join(what)}" if what else ""


def _by_learner(learner: str, settings: Mapping[str, Plain]) -> list[str]:
    entry = entry_of(learner)
    chosen = [] if entry is None else list(entry.chooses(settings))
    for value in settings.values():
        if isinstance(value, LearnerAsData):
            chosen += _by_learner(value.learner, value.settings)
    return chosen


def _by_training_rows(done: lineage.Done) -> tuple[str, ...]:
    match done:
        case lineage.Pruned(pruner, rows="none" | "training"):
            return () if _keeps_answers(pruner) else ("the pruning",)
        case lineage.Selected():
            return ("the columns",)
        case lineage.Tuned():
            return ("the settings",)
        case lineage.Chosen():
            return ("the learner",)
        case lineage.Balanced():
            return ()  # the rows are changed; nothing is chosen
        case lineage.Simplified():
            return (BY_TESTS,)
        case lineage.Calibrated(by="training"):
            return (_CALIBRATION,)
        case lineage.Decided(what, by="training"):
            return (_DECIDED[what],)
        case (
            lineage.Pruned()
            | lineage.Calibrated()
            | lineage.Decided()
            | lineage.Joined()
            | lineage.LearnedMore()
        ):
            return ()  # chosen by other rows, or by a person
        case (
            lineage.ReadAsRules()
            | lineage.AsWeights()
            | lineage.Edited()
            | lineage.CurveEdited()
            | lineage.Distilled()
            | lineage.Imported()
            | lineage.EndedEarly()
        ):
            return ()  # chosen by nobody, or by a person
        case _:
            assert_never(done)


def _by_fresh_rows(done: lineage.Done, marks: frozenset[str]) -> tuple[str, ...]:
    match done:
        case lineage.Pruned(rows=rows):
            return ("the pruning",) if rows == "fresh" and done.fingerprint in marks else ()
        case lineage.Calibrated():
            return (_CALIBRATION,) if {done.fingerprint, done.mark} & marks else ()
        case lineage.Decided(what):
            return (_DECIDED[what],) if done.by == "fresh" and {done.fingerprint, done.mark} & marks else ()
        case (
            lineage.Simplified()
            | lineage.ReadAsRules()
            | lineage.AsWeights()
            | lineage.Edited()
            | lineage.CurveEdited()
        ):
            return ()
        case lineage.Joined() | lineage.LearnedMore():
            return ()  # chosen by the training rows
        case (
            lineage.Distilled()
            | lineage.Imported()
            | lineage.EndedEarly()
            | lineage.Selected()
            | lineage.Balanced()
            | lineage.Tuned()
            | lineage.Chosen()
        ):
            return ()
        case _:
            assert_never(done)


def _keeps_answers(name: str) -> bool:
    """Does this pruner cut only what no answer depends on? One in no list is taken to choose."""
    return name in PRUNERS and PRUNERS[name].keeps_answers


def notes_on_rows(model: Model, table: Table) -> tuple[str, ...]:
    """What must be known where these rows made the model, or chose something of it.

    Only all of the training rows together are known again, and the table of which they were a part where some
    were held out, but never a part of them: in whatever order by a model that has a profile, else in the
    order in which it learned from them. Rows that chose a decision are known in any order.
    """
    if known := learned_from_words(model, table):
        return (f"{known}: on others it does less well.",)
    if chose := chosen_since(model.origin, fingerprint(table), unordered_mark(model, table)):
        return (f"These rows chose {' and '.join(chose)}: on others the model does less well.",)
    return ()
