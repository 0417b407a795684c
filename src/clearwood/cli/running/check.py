"""What `check` does: a verdict on each assertion, and an exit code that says whether all hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import typer

from clearwood.checking import check
from clearwood.checking.assertions.reading import read_assertions
from clearwood.checking.checking_a_model import junit_xml
from clearwood.checking.walking.searching import BUDGET
from clearwood.cli.advice import in_options
from clearwood.cli.exit_codes import DIFFERS
from clearwood.cli.grouped import refuse_given
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.source_options import Reading
from clearwood.cli.sources import load_model, raw_in
from clearwood.cli.writing import check_place
from clearwood.files import write_whole


def run(
    model: Path,
    assertions: Path,
    reading: Reading,
    output: Output,
    *,
    data: str | None,
    junit: Path | None,
    budget: int | None,
) -> None:
    """Print the verdicts, write them where asked, and end with 1 if one does not hold."""
    check_place(junit, model, assertions, data)
    if data is None:
        refuse_given("says how rows are written, and none are given. Name DATA, or leave it out.", reading)
    asserted = read_assertions(assertions)
    loaded = load_model(model)
    rows = None if data is None else raw_in(data, reading)
    notes = () if rows is None else rows.notes
    note(notes, output)
    with working("Checking"):
        checked = check(
            loaded,
            asserted,
            rows,
            budget=BUDGET if budget is None else budget,
            strict=False,
            name=model.name,
            rows_name="" if data is None else Path(data).name,
        )
    worded = tuple(replace(each, because=in_options(each.because)) for each in checked.verdicts)
    checked = replace(checked, verdicts=worded)
    if junit is not None:
        write_whole(junit, junit_xml(checked).encode("utf-8", "replace"))
    if not output.quiet or output.as_json or not checked.passed:
        answer(output, text=lambda: str(checked), data=checked.to_json, notes=notes)
    if not checked.passed:
        raise typer.Exit(DIFFERS)
