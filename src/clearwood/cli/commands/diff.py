"""`clearwood diff`: where two models answer differently."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from clearwood.cli.options import Output, argument, option, options, refuse_given
from clearwood.cli.output import answer, note, working
from clearwood.cli.sources import Reading, coded_for, holds_model, load_model, raw_in
from clearwood.errors import SettingError


@options()
class DiffOptions:
    """What `clearwood diff` takes."""

    old: Path = argument("OLD", "A model file.")
    new: Path = argument("NEW", "Another model of the same target.")
    data: str | None = argument(
        "[DATA]", "Rows to count; models that are neither trees nor rules need them.", default=None
    )
    reading: Reading
    share_change: float | None = option(
        "X", "Also the regions in which a probability changes by more than X."
    )
    most: int = option("N", "List at most N regions.", default=20, min=0)
    steps: int | None = option("N", "Stop looking after this many boxes, and say what is left open.", min=1)
    output: Output


def run(asked: DiffOptions) -> None:
    """Print the difference of two saved models."""
    from clearwood.checking.difference.differing import diff
    from clearwood.cli.evaluation_rows import notes_of_models, unusual_rows
    from clearwood.models.space.settling import BUDGET
    from clearwood.models.space.space_of import columns_used

    if asked.data is None:
        refuse_given(
            "says how rows are written, and none are given. Name DATA, or leave it out.", asked.reading
        )
    elif holds_model(asked.data):
        raise SettingError(f"The last file is the rows to count, but {asked.data} holds a model.")
    models = load_model(asked.old), load_model(asked.new)
    rows = None if asked.data is None else raw_in(asked.data, asked.reading)
    names = (
        (str(asked.old), str(asked.new))
        if str(asked.old) != str(asked.new)
        else (f"{asked.old} (1)", f"{asked.new} (2)")
    )
    with working("Comparing"):
        difference = diff(
            *models,
            rows,
            shares=asked.share_change,
            most=asked.most,
            budget=BUDGET if asked.steps is None else asked.steps,
            names=names,
        )
    if asked.steps is not None and not difference.exact:
        raise SettingError(f"{difference.reached} No search is there for --steps to bound: leave it out.")
    notes: tuple[str, ...] = ()
    if rows is not None:
        met = {
            name: unusual_rows(rows, model, coded_for(model, rows, only=columns_used(model)))
            for name, model in zip(names, models, strict=True)
        }
        notes = (*rows.notes, *notes_of_models(met))
    note(notes, asked.output)
    shown = replace(difference, regions=(), moved=(), about=()) if asked.output.quiet else difference
    answer(asked.output, difference, text=lambda: str(shown), notes=notes)
