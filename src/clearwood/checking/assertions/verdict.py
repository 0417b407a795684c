"""A verdict: does a model do what was asserted, how is that known, and which rows show that it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from clearwood.records import json_of
from clearwood.shown import ShowsItself
from clearwood.table.raw import Cell


@dataclass(frozen=True, slots=True)
class CounterRow:
    """A row that shows that an assertion fails, and what the predictor gives it."""

    row: Mapping[str, Cell]
    gets: str


@dataclass(frozen=True, slots=True)
class AssertionVerdict:
    """`holds` is None where nothing was shown either way. `exact`: no row that could be was left out.

    `how` says how the verdict was reached, `because` what was seen, both as parts of sentences.
    """

    kind: str
    title: str
    holds: bool | None
    exact: bool
    how: str
    because: str = ""
    rows: tuple[CounterRow, ...] = ()

    @property
    def word(self) -> str:
        """`holds`, `fails` or `open`."""
        return "open" if self.holds is None else "holds" if self.holds else "fails"


class Asserted(Protocol):
    """What every assertion has: its kind as a file calls it, a name if it was given one, what it says."""

    kind: ClassVar[str]

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...


def verdict_on(
    asserted: Asserted,
    holds: bool | None,
    exact: bool,
    how: str,
    because: str = "",
    rows: tuple[CounterRow, ...] = (),
    *,
    title: str = "",
) -> AssertionVerdict:
    """The verdict under the assertion's own name, else under a `title`, or what it says."""
    title = asserted.name or title or asserted.title
    return AssertionVerdict(asserted.kind, title, holds, exact, how, because, rows)


@dataclass(frozen=True, slots=True, repr=False)
class CheckedModel(ShowsItself):
    """The verdicts on a model, in the order of the assertions."""

    model: str
    verdicts: tuple[AssertionVerdict, ...]

    @property
    def passed(self) -> bool:
        """Do all assertions hold? One that is open does not."""
        return all(each.holds for each in self.verdicts)

    @property
    def failed(self) -> tuple[AssertionVerdict, ...]:
        """The verdicts that do not hold, open ones included."""
        return tuple(each for each in self.verdicts if not each.holds)

    def __repr__(self) -> str:
        hold = len(self.verdicts) - len(self.failed)
        return f"<CheckedModel {self.model}: {hold} of {len(self.verdicts)} hold>"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        verdicts = [json_of(each, word=each.word) for each in self.verdicts]
        return json_of(self, "verdicts", passed=self.passed, verdicts=verdicts)
