"""A journal of tuning: one line for each setting and fold, so that work broken off goes on where it was.

The first line says what is tuned, by which rows; a journal of anything else is refused. It is JSON and
nothing in it is run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from clearwood import __version__
from clearwood.errors import SourceError
from clearwood.learners.training import made_of
from clearwood.models.lineage import LearnerAsData
from clearwood.records import finite_or_none
from clearwood.study.designs import Design
from clearwood.study.recipe import Recipe
from clearwood.study.tuning.trials import FoldScore

_KIND: Final = "clearwood tuning journal"
_FORM: Final = 1
_LARGEST: Final = 1 << 30  # bytes

# What the first line has, and how a sentence calls it.
_NAMES: Final = {
    "table": "table",
    "learner": "learner, or of one with other settings",
    "design": "design",
    "score": "score",
    "version": "version of Clearwood",
}


@dataclass(slots=True, eq=False)
class TuningJournal:
    """The lines of a file that is written on: scores by the rows they are of, their settings and fold."""

    path: Path
    heading: Mapping[str, Any]
    known: dict[tuple[str, str, int], FoldScore] = field(default_factory=dict)
    file: IO[str] | None = None

    def scores(self, outer: str, settings: str) -> dict[int, FoldScore]:
        """By fold, what is known of these settings within an outer fold ('': of all rows)."""
        return {
            fold: score for (of, key, fold), score in self.known.items() if of == outer and key == settings
        }

    def add(self, outer: str, settings: str, fold: int, score: FoldScore) -> None:
        """Append a line, in one piece: a kill loses that line at most."""
        self.known[outer, settings, fold] = score
        line = {"outer": outer, "settings": json.loads(settings), "fold": fold, "size": score.size}
        line |= {"failed": score.failed} if score.failed else {"score": finite_or_none(score.score)}
        if self.file is None:
            self.file = self._opened()
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def close(self) -> None:
        if self.file is not None:
            self.file.close()
            self.file = None

    def _opened(self) -> IO[str]:
        try:
            new = not self.path.exists() or not self.path.stat().st_size
            file = self.path.open("a", encoding="utf-8", newline="\n")
        except OSError as error:
            raise SourceError(f"The journal {self.path} cannot be written: {error.strerror}.") from error
        if new:
            file.write(json.dumps(self.heading) + "\n")
        return file


def journal_at(
    path: str | PathLike[str], learner: Any, fingerprint: str, design: Design, score: Mapping[str, Any]
) -> TuningJournal:
    """The journal of this file, with what it has; a new one where there is none."""
    place = Path(fspath(path))
    heading = {
        "kind": _KIND,
        "form": _FORM,
        "version": __version__,
        "table": fingerprint,
        "learner": _as_data(learner),
        "design": {"kind": type(design).__name__, **asdict(design)},
        "score": score,
    }
    heading = json.loads(json.dumps(heading))
    journal = TuningJournal(place, heading)
    if place.exists():
        _read(journal)
    return journal


def settings_key(learner: Any) -> str:
    """All settings of a learner as one text, the same for the same settings."""
    return json.dumps(_as_data(learner), sort_keys=True)


def _read(journal: TuningJournal) -> None:
    path = journal.path
    try:
        if path.stat().st_size > _LARGEST:
            raise SourceError(f"{path} is larger than any journal of tuning. Name another file.")
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"The journal {path} cannot be read: {error.strerror}.") from error
    if not data:
        return
    whole, _, broken = data.rpartition(b"\n")
    first, *lines = whole.split(b"\n")
    try:
        heading = json.loads(first)
    except (ValueError, RecursionError):
        heading = None
    if not isinstance(heading, dict) or heading.get("kind") != _KIND:
        raise SourceError(f"{path} is no journal of tuning. Name another file.")
    if heading.get("form") != _FORM:
        raise SourceError(f"{path} is a journal of another form. Name another file.")
    for name, called in _NAMES.items():
        if heading.get(name) != journal.heading[name]:
            raise SourceError(
                f"{path} is the journal of another {called}. Name another file to begin again, or "
                "tune as it was begun."
            )
    for number, line in enumerate(lines, 2):
        try:
            read = msgspec.json.decode(line, type=_Line)
        except (msgspec.DecodeError, RecursionError):
            read = None
        if read is None or (read.score is msgspec.UNSET and not read.failed):
            raise SourceError(f"{path}, line {number}: this is no line of a tuning journal. Delete it.")
        score = FoldScore(failed=read.failed)
        if not isinstance(read.score, msgspec.UnsetType):
            score = FoldScore(math.nan if read.score is None else read.score, read.size)
        journal.known[read.outer, json.dumps(read.settings, sort_keys=True), read.fold] = score
    if broken:
        # A kill left a part of a line: what is added next must not follow it.
        with path.open("r+b") as file:
            file.truncate(len(data) - len(broken))


class _Line(msgspec.Struct):
    """The score of settings in a fold of the rows of an outer fold, or why there is none."""

    outer: str
    settings: dict[str, Any]
    fold: int
    size: int
    score: float | msgspec.UnsetType | None = msgspec.UNSET
    failed: str = ""


def _as_data(learner: Any) -> Any:
    """A learner, or a recipe with its steps, as plain JSON."""
    if isinstance(learner, Recipe):
        steps = {name: repr(getattr(learner, name)) for name in ("prunings", "before", "after")}
        return {**_as_data(learner.learner), "seed of the recipe": learner.seed, **steps}
    return _in_json(made_of(learner))


def _in_json(value: Any) -> Any:
    match value:
        case LearnerAsData(learner, settings):
            return {"learner": learner, "settings": _in_json(settings)}
        case Mapping():
            return {key: _in_json(each) for key, each in value.items()}
        case tuple():
            return [_in_json(each) for each in value]
        case _:
            return value
