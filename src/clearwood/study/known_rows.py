"""Known rows: whether a model was learned from these rows, in any order, and what they chose of it since."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from hashlib import blake2b
from typing import Final, Literal, TypeAlias, assert_never

from clearwood._native import row_marks
from clearwood.catalogue import PRUNERS, entry_of
from clearwood.learners.rules import BY_TESTS
from clearwood.learners.training import fingerprint
from clearwood.models import lineage
from clearwood.models.kinds.kind import Profile
from clearwood.models.lineage import LearnerAsData, Origin, Plain
from clearwood.models.model import Model
from clearwood.models.space.space_of import columns_used
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


def is_learned_from(model: Model, table: Table) -> bool:
    """Was the model learned from these rows: in this order, or in any, if its profile says so?"""
    return fingerprint(table) == model.origin.fingerprint or has_seen(model, table)


def learned_from_words(model: Model, table: Table) -> str:
    """The beginning of a sentence on rows of which the model was learned from all or some; "" of others."""
    if is_learned_from(model, table):
        return "These are the rows that the model was learned from"
    among = learned_among(model, table)
    return among_words(among, len(table)) if among else ""


# What rows chose: a score on rows that chose between models is too good, and says what they chose.


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
    done = filter(None, map(_chosen, origin.after))
    chosen = [what for what, rows, _ in done if rows == "training"]
    return tuple(dict.fromkeys([*_by_learner(origin.learner, origin.settings), *chosen]))


def chosen_since(origin: Origin, *marks: str) -> tuple[str, ...]:
    """What the rows of these marks chose after the model had been learned from others: their fingerprint, and
    the mark that they have in any order.

    >>> pruned = lineage.Pruned("reduced-error", rows="fresh", fingerprint="b9")
    >>> chosen_since(Origin("ID3", after=(pruned,)), "b9")
    ('the pruning',)
    """
    done = filter(None, map(_chosen, origin.after))
    known = set(filter(None, marks))
    return tuple(dict.fromkeys(what for what, rows, own in done if rows == "fresh" and own & known))


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


def _chosen(done: lineage.Done) -> tuple[str, str, set[str]] | None:
    """What rows chose, which ones ("training" or "fresh"), and the marks of these; None where none chose."""
    match done:
        case lineage.Pruned(pruner, rows="none" | "training"):
            keeps_answers = pruner in PRUNERS and PRUNERS[pruner].keeps_answers  # cuts what none depends on
            return None if keeps_answers else ("the pruning", "training", set())
        case lineage.Pruned():
            return "the pruning", done.rows, {done.fingerprint}
        case lineage.Selected():
            return "the columns", "training", set()
        case lineage.Tuned():
            return "the settings", "training", set()
        case lineage.Chosen():
            return "the learner", "training", set()
        case lineage.Simplified():
            return BY_TESTS, "training", set()
        case lineage.Calibrated():
            return "the calibration", done.by, {done.fingerprint, done.mark}
        case lineage.Decided(what):
            return _DECIDED[what], done.by, {done.fingerprint, done.mark}
        case lineage.Balanced() | lineage.Joined() | lineage.LearnedMore() | lineage.EndedEarly():
            return None  # rows are changed, or made more of: nothing is chosen
        case lineage.ReadAsRules() | lineage.AsWeights() | lineage.Distilled() | lineage.Imported():
            return None
        case lineage.Edited() | lineage.CurveEdited():
            return None  # chosen by a person
        case _:
            assert_never(done)


KnownAs: TypeAlias = Literal["", "these", "reordered", "among", "chose"]


def rows_known(model: Model, table: Table) -> tuple[KnownAs, str]:
    """How rows made the model: they are those that it was learned from, as they were or in another order; it
    was learned from some of them; or they chose something of it. And what is to be said of the last two."""
    mark = fingerprint(table)
    if mark == model.origin.fingerprint:
        return "these", ""
    if has_seen(model, table):
        return "reordered", ""
    if among := learned_among(model, table):
        return "among", among_words(among, len(table))
    if chose := chosen_since(model.origin, mark, unordered_mark(model, table)):
        return "chose", " and ".join(chose)
    return "", ""


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
