"""What `diff` does: the regions in which two models answer differently, and the rows in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from clearwood.checking.difference.differing import diff
from clearwood.checking.walking.searching import BUDGET
from clearwood.cli.grouped import refuse_given
from clearwood.cli.judged_rows import notes_of_models, rows_met
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.source_options import Reading
from clearwood.cli.sources import coded_for, holds_model, load_model, raw_in
from clearwood.errors import SettingError
from clearwood.predict.columns import columns_used


def run(
    old: Path,
    new: Path,
    reading: Reading,
    output: Output,
    *,
    data: str | None,
    shares: float | None,
    most: int,
    budget: int | None,
) -> None:
    """Print the difference of two saved models."""
    if data is None:
        refuse_given("says how rows are written, and none are given. Name DATA, or leave it out.", reading)
    elif holds_model(data):
        raise SettingError(f"The last file is the rows to count, but {data} holds a model.")
    models = load_model(old), load_model(new)
    rows = None if data is None else raw_in(data, reading)
    names = (str(old), str(new)) if str(old) != str(new) else (f"{old} (1)", f"{new} (2)")
    with working("Comparing"):
        difference = diff(
            *models,
            rows,
            shares=shares,
            most=most,
            budget=BUDGET if budget is None else budget,
            names=names,
        )
    if budget is not None and not difference.exact:
        raise SettingError(f"{difference.reached} No search is there for --steps to bound: leave it out.")
    notes: tuple[str, ...] = ()
    if rows is not None:
        met = {
            name: rows_met(rows, model, coded_for(model, rows, only=columns_used(model)))
            for name, model in zip(names, models, strict=True)
        }
        notes = (*rows.notes, *notes_of_models(met))
    note(notes, output)
    shown = replace(difference, regions=(), moved=(), about=()) if output.quiet else difference
    answer(output, text=lambda: str(shown), data=difference.to_json, notes=notes)
