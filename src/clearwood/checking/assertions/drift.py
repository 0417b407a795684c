"""Drift: the columns of the rows are spread as they were in training, by the population stability index."""

from __future__ import annotations

from dataclasses import dataclass

from clearwood.checking.assertions.model_and_rows import ModelAndRows
from clearwood.checking.assertions.verdict import AssertionVerdict
from clearwood.errors import ColumnError, SettingError, no_such
from clearwood.models.profile import Profile
from clearwood.models.words import written
from clearwood.predict.columns import columns_used, table_for
from clearwood.study.drift_since_training import column_drift
from clearwood.table.table import Table
from clearwood.words.numbers import in_digits, many, number, row_count


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftWithin:
    """The stability index of each column that the model asks about (or of these `columns`), the rows against
    the training rows, is `at_most` so large: 0.1 is a change by the usual limits, 0.25 a large one."""

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
    source = given.source
    table = source if isinstance(source, Table) else table_for(given.model, source)
    indices = {
        name: drift.index
        for name in names
        if (drift := column_drift(table, name, profile.columns[name], given.model.schema)) is not None
    }
    how = f"{given.on_rows(len(table))} against {row_count(profile.rows)} of training"
    title = asserted.name or asserted.title
    if not indices or not len(table):
        return AssertionVerdict("drift", title, None, False, how, "there is nothing to compare")
    broken = {name: each for name, each in indices.items() if each > asserted.at_most}
    if broken:
        listed = sorted(broken.items(), key=lambda each: -each[1])
        because = ", ".join(f"{written(name)} {in_digits(each, 3)}" for name, each in listed)
        return AssertionVerdict("drift", title, False, False, how, because)
    worst = max(indices, key=indices.__getitem__)
    because = f"{many(len(indices), 'column')}, at most {in_digits(indices[worst], 3)} ({written(worst)})"
    return AssertionVerdict("drift", title, True, False, how, because)


def _names(asserted: DriftWithin, given: ModelAndRows, profile: Profile) -> list[str]:
    if not asserted.columns:
        return [name for name in profile.columns if name in columns_used(given.model)]
    for name in asserted.columns:
        if name not in profile.columns or name not in columns_used(given.model):
            known = [each for each in profile.columns if each in columns_used(given.model)]
            raise ColumnError(
                no_such("column that the model asks about called", name, known, plural="columns")
            )
    return list(asserted.columns)
