"""`clearwood edit`: rules added, changed, deleted and moved by hand, and what that does to the scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.options import (
    Dates,
    Decimal,
    Delimiter,
    Encoding,
    Header,
    Ignore,
    Json,
    Kinds,
    MaxBytes,
    Missing,
    Orders,
    Quiet,
    RuleFile,
    SchemaFile,
    Target,
    Thousands,
    Weight,
    WeightsAre,
    columns_as,
    written_as,
)

_EDITS = "Edits; numbers are those of the list as it was, counted from 1"


def edit(
    rules: RuleFile,
    change: Annotated[
        list[str] | None,
        typer.Option(metavar="N:'IF … THEN …'", help="Put this in rule N's place.", rich_help_panel=_EDITS),
    ] = None,
    move: Annotated[
        list[str] | None,
        typer.Option(metavar="N:M", help="Make rule N the M-th.", rich_help_panel=_EDITS),
    ] = None,
    delete: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Take rule N out.", rich_help_panel=_EDITS)
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(metavar="'IF … THEN …'", help="A new rule, after the others.", rich_help_panel=_EDITS),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(metavar="N", help="Add as the N-th rule of the new list.", rich_help_panel=_EDITS),
    ] = None,
    otherwise: Annotated[
        str | None,
        typer.Option(metavar="CLASS", help="Said where no rule holds, or 'nothing'.", rich_help_panel=_EDITS),
    ] = None,
    train: Annotated[
        str | None, typer.Option(metavar="DATA", help="Rows the rules were made from: counted and scored.")
    ] = None,
    test: Annotated[str | None, typer.Option(metavar="DATA", help="Rows they have not seen: scored.")] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the rules: .json a model, else text.")
    ] = None,
    target: Target = None,
    schema: SchemaFile = None,
    kind: Kinds = None,
    order: Orders = None,
    ignore: Ignore = None,
    weight: Weight = None,
    weights_are: WeightsAre = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    header: Header = None,
    missing: Missing = None,
    thousands: Thousands = None,
    dates: Dates = None,
    max_bytes: MaxBytes = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Edit a list of rules: first change, then move, delete and add; print it with its scores."""
    from clearwood.cli.editing import Edits, edited, save_rules
    from clearwood.cli.rule_files import Reading, read_rule_file
    from clearwood.cli.scores import evaluation_to_json, phrase
    from clearwood.cli.speaking import as_options, note, say, say_json
    from clearwood.cli.writing import check_place
    from clearwood.editing.edited import compare_scores
    from clearwood.models.rule_text import write_rules

    edits = Edits.of(change, move, delete, add, at, otherwise)
    places = [each for each in (train, test) if each is not None]
    if save is not None:
        for each in (str(rules), *places):
            check_place(save, but_not=each)
    reading = Reading(
        target,
        weight,
        schema,
        columns_as(kind, order, ignore, weights_are),
        None,
        written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes),
    )
    found = read_rule_file(rules, reading, *places)
    tables = dict(zip(places, found.tables, strict=True))
    done = compare_scores(
        found.rules,
        edited(found.rules, edits),
        training=None if train is None else tables[train],
        held_out=None if test is None else tables[test],
    )
    if save is not None:
        save_rules(done.rules, save)
    scores = {"training": done.training, "held out": done.held_out}
    if as_json:
        told = {
            name.replace(" ", "_"): dict(zip(("before", "after"), map(evaluation_to_json, pair), strict=True))
            for name, pair in scores.items()
            if pair is not None
        }
        text = write_rules(done.rules).splitlines()
        say_json({"rules": text, **told, "notes": as_options(found.notes), "saved": save and str(save)})
        return
    note(found.notes, quiet=quiet)
    if not quiet:
        say(write_rules(done.rules))
    for name, pair in scores.items():
        if pair is not None:
            say(f"\n{name}, before  {phrase(pair[0])}\n{name}, after   {phrase(pair[1])}")
    if save is not None:
        say(f"Saved to {save}.")
