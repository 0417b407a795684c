"""`clearwood prune`: a saved tree made smaller, and the ledger of what was cut and why."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.options import (
    Data,
    Dates,
    Decimal,
    Delimiter,
    Encoding,
    Header,
    Json,
    MaxBytes,
    Missing,
    Model,
    Query,
    Quiet,
    Thousands,
    written_as,
)
from clearwood.cli.registry import PRUNERS


def prune(
    model: Model,
    data: Data,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            "-m",
            metavar="NAME",
            help=f"One of: {', '.join(PRUNERS)}.",
            autocompletion=lambda: list(PRUNERS),
        ),
    ],
    settings: Annotated[
        list[str] | None, typer.Option("--set", "-s", metavar="NAME=VALUE", help="A setting of the pruner.")
    ] = None,
    work: Annotated[
        bool, typer.Option("--work", help="Every split that was looked at, kept or cut, number by number.")
    ] = False,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the smaller model here.")] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    header: Header = None,
    missing: Missing = None,
    thousands: Thousands = None,
    dates: Dates = None,
    max_bytes: MaxBytes = None,
    query: Query = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Prune a saved tree: reduced-error with rows it has not seen, the others with those it learned from."""
    from clearwood.cli.drawing import drawn, page_width
    from clearwood.cli.pruning import pruning_of, scored_on
    from clearwood.cli.reading import coded_for, load_tree
    from clearwood.cli.scores import evaluation_to_json, phrase
    from clearwood.cli.speaking import as_options, note, say, say_json
    from clearwood.cli.writing import check_place
    from clearwood.models.files import save as save_model
    from clearwood.scoring.evaluation import evaluate
    from clearwood.table.sources import read_raw

    pruning = pruning_of(method, settings)
    if save is not None:
        check_place(save, but_not=data)
        check_place(save, but_not=model)
    tree = load_tree(model)
    written = written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes)
    table = coded_for(tree, read_raw(data, query=query, **written))
    pruned = pruning(tree, table)
    notes, of_scores = [*table.notes], scored_on(pruning, tree, table)
    before, after = evaluate(tree, table), evaluate(pruned.tree, table)
    if save is not None:
        save_model(pruned.tree, save)
    if as_json:
        say_json(
            {
                **pruned.ledger.to_json(),
                "scores_before": evaluation_to_json(before),
                "scores_after": evaluation_to_json(after),
                "notes": as_options([*notes, *of_scores]),
                "saved": None if save is None else str(save),
            }
        )
        return
    note(notes, quiet=quiet)
    if work:
        from clearwood.derive.prunings.deriving import derive_pruning
        from clearwood.draw.derivations import write_derivation

        say(write_derivation(derive_pruning(pruned.ledger, tree, table), width=page_width()))
    say(str(pruned.ledger))
    if not quiet:
        say(f"\n{drawn(pruned.tree)}")
    weighted = table.weights is not None
    say(f"\nbefore  {phrase(before, weighted=weighted)}\nafter   {phrase(after, weighted=weighted)}")
    for each in of_scores:
        say(each)
    if save is not None:
        say(f"Saved to {save}.")
