"""`clearwood derive`: how every number came about, from the table to the model, or for one answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from clearwood.catalogue import LEARNERS
from clearwood.cli.declaring import option
from clearwood.cli.learning_options import BY_DEFAULT, Learning, ModelOrLearner, Seed, Settings
from clearwood.cli.options import DetailOption, Output, RelativeTo, RowOption
from clearwood.cli.panels import LEARNING, WORKSHEETS
from clearwood.cli.source_options import Source

_LAYOUT: Final = "How to write it"


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivationLayout:
    """How the derivation is written."""

    detail: DetailOption = None
    chapter: Annotated[
        str | None, option("--chapter", "NAME", "Only this chapter: Growing, Pruning, …", WORKSHEETS)
    ] = None
    no_intervals: Annotated[
        bool, option("--no-intervals", None, "Leave out the intervals of probabilities.", WORKSHEETS)
    ] = False
    answers: Annotated[bool, option("--answers", None, "The key to the worksheet.", WORKSHEETS)] = False
    format: Annotated[
        str | None,
        option(
            "--format -f",
            "NAME",
            "text, markdown, pandoc, latex or html (by the ending of -o).",
            _LAYOUT,
        ),
    ] = None
    fragment: Annotated[
        bool, option("--fragment", None, "LaTeX or HTML to include in a document.", _LAYOUT)
    ] = False
    digits: Annotated[
        int | None, option("--digits", "N", "Significant digits (4).", _LAYOUT, min=1, max=17)
    ] = None
    file: Annotated[Path | None, option("--output -o", "FILE", "Write it here.", _LAYOUT)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOrLearners:
    """A saved model, the learner that makes one, or learners of trees to compare."""

    model: Annotated[
        Path | None, option("--model -m", "MODEL", "A saved model, instead of learning one.", LEARNING)
    ] = None
    learners: Annotated[
        list[str] | None,
        option(
            "--learner -l",
            "NAME",
            f"One of: {', '.join(LEARNERS)}. {BY_DEFAULT}",
            LEARNING,
            autocompletion=lambda: list(LEARNERS),
        ),
    ] = None
    settings: Settings = None
    seed: Seed = None

    @property
    def single(self) -> ModelOrLearner:
        """With at most one learner."""
        learner = self.learners[0] if self.learners else None
        return ModelOrLearner(
            model=self.model, learning=Learning(learner=learner, settings=self.settings, seed=self.seed)
        )


def derive(
    *,
    source: Source,
    chosen: ModelOrLearners,
    layout: DerivationLayout,
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="DATA",
            help="The table learned from; not needed for --model --row.",
            show_default=False,
        ),
    ] = None,
    compare: Annotated[bool, option("--compare", None, "Where the trees of several -l differ.")] = False,
    at: Annotated[str | None, option("--at", "CONDITION,…", "One node of a tree: 'Wind = Weak'.")] = None,
    row: RowOption = None,
    relative_to: RelativeTo = None,
    allow_unseen: Annotated[bool, option("--allow-unseen", None, "Accept unseen values in --row.")] = False,
    all_rows: Annotated[bool, option("--all-rows", None, "Print long tables in full.")] = False,
    output: Output,
) -> None:
    from clearwood.cli.running.derive import run

    run(
        data,
        source,
        chosen,
        layout,
        output,
        at=at,
        row=row,
        relative_to=relative_to,
        allow_unseen=allow_unseen,
        all_rows=all_rows,
        compare=compare,
    )
