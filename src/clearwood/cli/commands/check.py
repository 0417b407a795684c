"""`clearwood check`: assertions on a model, for continuous integration."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import typer

from clearwood.cli.options import ModelPath, Output, argument, in_options, option, options, refuse_given
from clearwood.cli.output import answer, check_place, note, working
from clearwood.cli.process import DIFFERS
from clearwood.cli.sources import Reading, load_model, raw_in
from clearwood.files import write_whole


@options()
class CheckOptions:
    """What `clearwood check` takes."""

    model: ModelPath
    assertions: Path = argument("ASSERTIONS", "What must hold, as TOML.")
    data: str | None = argument(
        "[DATA]", "Rows, for scores, drift, and models that cannot be proved without.", default=None
    )
    reading: Reading
    junit: Path | None = option("FILE", "Also write the verdicts here, as JUnit's XML.")
    steps: int | None = option("N", "Stop a proof after this many boxes, and say what is left open.", min=1)
    output: Output


def run(asked: CheckOptions) -> None:
    """Print the verdicts, write them where asked, and end with 1 if one does not hold."""
    from clearwood.checking import check
    from clearwood.checking.assertions.reading import read_assertions
    from clearwood.checking.checking_a_model import junit_xml
    from clearwood.models.space.settling import BUDGET

    check_place(asked.junit, asked.model, asked.assertions, asked.data)
    if asked.data is None:
        refuse_given(
            "says how rows are written, and none are given. Name DATA, or leave it out.", asked.reading
        )
    asserted = read_assertions(asked.assertions)
    loaded = load_model(asked.model)
    rows = None if asked.data is None else raw_in(asked.data, asked.reading)
    notes = () if rows is None else rows.notes
    note(notes, asked.output)
    with working("Checking"):
        checked = check(
            loaded,
            asserted,
            rows,
            budget=BUDGET if asked.steps is None else asked.steps,
            strict=False,
            name=asked.model.name,
            rows_name="" if asked.data is None else Path(asked.data).name,
        )
    worded = tuple(replace(each, because=in_options(each.because)) for each in checked.verdicts)
    checked = replace(checked, verdicts=worded)
    if asked.junit is not None:
        write_whole(asked.junit, junit_xml(checked).encode("utf-8", "replace"))
    if not asked.output.quiet or asked.output.as_json or not checked.passed:
        answer(asked.output, checked, notes=notes)
    if not checked.passed:
        raise typer.Exit(DIFFERS)
