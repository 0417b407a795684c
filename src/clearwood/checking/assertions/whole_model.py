"""Fingerprint: it is this very model, learned from these very rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from clearwood.checking.assertions.model_and_rows import ModelAndRows, bounds_words, check_bounds, meets
from clearwood.checking.assertions.verdict import AssertionVerdict, verdict_on
from clearwood.errors import ColumnError, SettingError, check_known, no_such
from clearwood.formulas.conditions import written
from clearwood.models.files.storing import model_fingerprint
from clearwood.models.kinds.kind import Profile
from clearwood.models.model import BayesTables, Ensemble, Model, RuleList, Tree, model_in_words, reading_size
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.columns import table_for
from clearwood.study.profiling import column_drift
from clearwood.words.numbers import in_digits, many, number, row_count, with_and


@dataclass(frozen=True, slots=True, kw_only=True)
class FingerprintIs:
    """The fingerprint of the `model` is this, or that of the `training` rows that it was learned from."""

    kind: ClassVar = "fingerprint"
    model: str = ""
    training: str = ""
    name: str = ""

    def check_keys(self) -> None:
        """Refuse an assertion without digits."""
        if not self.model and not self.training:
            raise SettingError("Give model, training, or both: the digits that the fingerprint must have.")

    @property
    def title(self) -> str:
        of = [f"of the model is {self.model}"] if self.model else []
        return "the fingerprint " + with_and(
            [*of, f"of its training rows is {self.training}"] if self.training else of
        )


def check_fingerprint(asserted: FingerprintIs, given: ModelAndRows) -> AssertionVerdict:
    """Exact: sixteen digits of all that the model holds, or that it keeps of its rows."""
    pairs = [
        ("model", asserted.model, model_fingerprint(given.model)),
        ("training rows", asserted.training, given.model.origin.fingerprint),
    ]
    # A certificate has all 64 digits of the model.
    wrong = [(what, own) for what, digits, own in pairs if digits and digits.lower()[:16] != own]
    because = "; ".join(f"that of the {what} is {own or 'unknown'}" for what, own in wrong)
    return verdict_on(asserted, not wrong, True, "exact, by the digits", because)


# Size: the model has so many leaves, rules, levels or statements to read, and no more.


SIZES: Final[Mapping[str, Callable[[Model], int | None]]] = {
    "leaves": lambda model: model.leaves if isinstance(model, Tree) else None,
    "nodes": lambda model: model.size if isinstance(model, Tree) else None,
    "depth": lambda model: model.depth if isinstance(model, Tree) else None,
    "rules": lambda model: len(model) if isinstance(model, RuleList) else None,
    "conditions": lambda model: model.conditions if isinstance(model, RuleList) else None,
    "members": lambda model: model.size if isinstance(model, Ensemble) else None,
    "columns": lambda model: len(columns_used(model)),
    "reading_size": reading_size,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeWithin:
    """The model has `at_most` (or `at_least`) so many `of` its leaves, nodes, depth, rules, conditions,
    members, columns that it asks about, or of what a person reads (`reading_size`)."""

    kind: ClassVar = "size"
    of: str
    at_least: float | None = None
    at_most: float | None = None
    name: str = ""

    def check_keys(self) -> None:
        """Refuse a size that there is not, and bounds that say nothing."""
        check_known("size", self.of, SIZES)
        check_bounds(self.at_least, self.at_most)

    @property
    def title(self) -> str:
        return f"{self.of} {bounds_words(self.at_least, self.at_most)}"


def check_model_size(asserted: SizeWithin, given: ModelAndRows) -> AssertionVerdict:
    """Exact: it is counted."""
    counted = SIZES[asserted.of](given.model)
    if counted is None:
        fitting = [name for name, count in SIZES.items() if count(given.model) is not None]
        subject, verb = ("They", "have") if isinstance(given.model, BayesTables) else ("It", "has")
        raise SettingError(
            f"{model_in_words(given.model).capitalize()} {verb} no {asserted.of}. "
            f"{subject} {verb}: {', '.join(fitting)}."
        )
    holds = meets(counted, asserted.at_least, asserted.at_most)
    return verdict_on(asserted, holds, True, "exact, counted", f"{asserted.of}: {number(counted)}")


# Drift: the columns of the rows are spread as they were in training, by the population stability index.


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftWithin:
    """The stability index of each column that the model asks about (or of these `columns`), the rows against
    the training rows, is `at_most` so large: 0.1 is a change by the usual limits, 0.25 a large one."""

    kind: ClassVar = "drift"
    at_most: float
    columns: tuple[str, ...] = ()
    name: str = ""

    def check_keys(self) -> None:
        """Refuse a column without a name."""
        if not all(self.columns):
            raise SettingError('Name the columns: columns = ["…"].')

    @property
    def title(self) -> str:
        of = ", ".join(map(written, self.columns)) if self.columns else "every column"
        return f"the stability index of {of} is at most {number(self.at_most)}"


def check_drift(asserted: DriftWithin, given: ModelAndRows) -> AssertionVerdict:
    """On the rows of the table, against the profile that the model keeps of its training rows."""
    profile = given.model.profile
    if profile is None:
        raise SettingError(
            "This model has no profile of its training rows, to which others could be compared. "
            "Learn it again, or leave [[drift]] out."
        )
    if given.source is None:
        raise SettingError(f"{asserted.title}: drift is of rows, and none are given. Give a table.")
    names = _names(asserted, given, profile)
    table = table_for(given.model, given.source)
    indices = {
        name: drift.index
        for name in names
        if (drift := column_drift(table, name, profile.columns[name], given.model.schema)) is not None
    }
    how = f"{given.on_rows(len(table))} against {row_count(profile.rows)} of training"
    if not indices or not len(table):
        return verdict_on(asserted, None, False, how, "there is nothing to compare")
    broken = {name: each for name, each in indices.items() if each > asserted.at_most}
    if broken:
        listed = sorted(broken.items(), key=lambda each: -each[1])
        because = ", ".join(f"{written(name)} {in_digits(each, 3)}" for name, each in listed)
        return verdict_on(asserted, False, False, how, because)
    worst = max(indices, key=indices.__getitem__)
    because = f"{many(len(indices), 'column')}, at most {in_digits(indices[worst], 3)} ({written(worst)})"
    return verdict_on(asserted, True, False, how, because)


def _names(asserted: DriftWithin, given: ModelAndRows, profile: Profile) -> list[str]:
    if not asserted.columns:
        return [name for name in profile.columns if name in columns_used(given.model)]
    for name in asserted.columns:
        if name not in profile.columns or name not in columns_used(given.model):
            known = [each for each in profile.columns if each in columns_used(given.model)]
            raise ColumnError(no_such("column that the model uses called", name, known, plural="columns"))
    return list(asserted.columns)
