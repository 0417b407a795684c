"""What `derive` derives, and how it is laid out on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast, get_args

from clearwood.cli.drawing import page_width
from clearwood.cli.fitting import need_target
from clearwood.cli.reading import coded_for, load_model
from clearwood.cli.recipe import recipe_of
from clearwood.draw.derivations import write_derivation
from clearwood.draw.derivations.telling import Detail
from clearwood.draw.derivations.writing import Format
from clearwood.errors import SettingError, no_such
from clearwood.models.model import Model
from clearwood.table import read_table
from clearwood.table.sources import read_raw
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation
from clearwood.working.shortening import MOST_ROWS

_ENDINGS: Final[dict[str, Format]] = {
    ".txt": "text",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
    ".qmd": "pandoc",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """The format, how much is told, and whether it is a whole document."""

    format: Format
    detail: Detail
    answers: bool
    standalone: bool

    @staticmethod
    def of(
        format: str | None,
        detail: str | None,
        output: Path | None,
        *,
        answers: bool,
        fragment: bool,
        as_json: bool,
    ) -> Layout:
        """What the options say, or a sentence, before any work."""
        if as_json and (format, detail, output, answers, fragment) != (None, None, None, False, False):
            raise SettingError("--json holds all that is known, as data: give no layout with it.")
        if answers and detail not in (None, "worksheet"):
            raise SettingError(f"--answers is the key to a worksheet, not to --detail {detail}.")
        chosen = format or _by_ending(output)
        told = detail or ("worksheet" if answers else "full")
        for kind, name, known in (
            ("format", chosen, get_args(Format)),
            ("detail", told, get_args(Detail)),
        ):
            if name not in known:
                raise SettingError(no_such(kind, name, known))
        page = chosen in ("latex", "html")
        if fragment and not page:
            raise SettingError(f"--fragment is for latex and html; {chosen} needs no document around it.")
        return Layout(cast(Format, chosen), cast(Detail, told), answers, page and not fragment)

    def write(
        self,
        derivation: Derivation,
        *,
        digits: int,
        all_rows: bool,
        intervals: bool = True,
        chapter: str | None = None,
    ) -> str:
        """The derivation so laid out."""
        return write_derivation(
            derivation,
            format=self.format,
            detail=self.detail,
            answers=self.answers,
            digits=digits,
            most_rows=None if all_rows else MOST_ROWS,
            width=page_width(),
            standalone=self.standalone,
            intervals=intervals,
            chapter=chapter,
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """The model in a file, or the one that a learner makes of a table."""

    data: str | None
    model: Path | None
    learner: str | None
    settings: Sequence[str] | None
    target: str | None


def model_and_table(
    wanted: Wanted, columns: Mapping[str, Any], written: Mapping[str, Any]
) -> tuple[Model, Table | None]:
    """The model, and the table that it was learned from, if one was named."""
    data, model = wanted.data, wanted.model
    if model is not None:
        if wanted.learner or wanted.settings or wanted.target or any(columns.values()):
            raise SettingError("The model in --model is learned already: leave the learner and columns out.")
        loaded = load_model(model)
        return loaded, None if data is None else coded_for(loaded, read_raw(data, **written))
    if data is None:
        raise SettingError("Name a table to learn from, or a model: --model MODEL.")
    recipe = recipe_of(wanted.learner or "c45", wanted.settings, (), None)
    table = read_table(data, target=wanted.target, **columns, **written)
    need_target(table)
    return recipe.learn(table), table


def _by_ending(output: Path | None) -> str:
    if output is None:
        return "text"
    ending = output.suffix.lower()
    if ending not in _ENDINGS:
        raise SettingError(
            f"How should {output} be written? End it in {', '.join(_ENDINGS)}, or give --format."
        )
    return _ENDINGS[ending]
