"""`clearwood report`: the whole study of a table in one page that opens anywhere."""

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
    Ignore,
    Json,
    Kinds,
    MaxBytes,
    Missing,
    Orders,
    Query,
    Quiet,
    SchemaFile,
    Target,
    Thousands,
    Weight,
    WeightsAre,
    columns_as,
    written_as,
)
from clearwood.cli.registry import LEARNERS

_LEARNING = "How to learn"
_JUDGING = "How to judge"


def report(
    context: typer.Context,
    data: Data,
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="FILE", help=".html, or .pdf by a browser found here.", show_default=False
        ),
    ],
    target: Target = None,
    learner: Annotated[
        str | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="NAME",
            help=f"One of: {', '.join(LEARNERS)} (c45; for a number cart, pruned by cross-validation).",
            autocompletion=lambda: list(LEARNERS),
            rich_help_panel=_LEARNING,
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            "-s",
            metavar="NAME=VALUE",
            help="A setting of the learner; see: clearwood learners.",
            rich_help_panel=_LEARNING,
        ),
    ] = None,
    prune: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PRUNER[:NAME=VALUE]",
            help="Prune afterwards: reduced-error, error-based, cost-complexity, mdl, chi-square, siblings.",
            rich_help_panel=_LEARNING,
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL",
            help="A saved model, judged on these rows, instead of learning.",
            rich_help_panel=_LEARNING,
        ),
    ] = None,
    test_part: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Keep this part of the rows back as a test (0.25 from 100 rows on).",
            rich_help_panel=_JUDGING,
        ),
    ] = None,
    cross_validate: Annotated[
        int | None,
        typer.Option(
            metavar="FOLDS",
            help="Judge by so many folds; the model has all rows (10 below 100 rows).",
            rich_help_panel=_JUDGING,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="For all that is drawn at random.", rich_help_panel=_JUDGING),
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="What stands at the top.")] = None,
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
    query: Query = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write one page with data, model, rules, evidence, evaluation, a form that answers, and a model card."""
    from clearwood.cli.progress import working
    from clearwood.cli.reporting import Wanted, check_form, study_for
    from clearwood.cli.retelling import command_of
    from clearwood.cli.speaking import as_options, note, say, say_json
    from clearwood.cli.writing import check_place
    from clearwood.report.making import report_of

    check_form(out)
    check_place(out, but_not=data)
    wanted = Wanted(
        data=data,
        model=model,
        learner=learner,
        settings=settings,
        prune=prune,
        test_part=test_part,
        folds=cross_validate,
        seed=seed,
        how=command_of(
            context, out="report.html", data=Path(data).name, **({"model": model.name} if model else {})
        ),
    )
    columns = {
        "target": target,
        "weight": weight,
        "schema": schema,
        **columns_as(kind, order, ignore, weights_are),
    }
    written = {
        "query": query,
        **written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes),
    }
    with working("Learning and judging" if model is None else f"Judging {model}"):
        study = study_for(wanted, columns, written)
    if not as_json:
        note(study.table.notes, quiet=quiet)
    with working(f"Writing {out}"):
        made = report_of(study, title)
        made.save(out)
    if as_json:
        said = {"saved": str(out), "bytes": out.stat().st_size, "notes": as_options(study.table.notes)}
        say_json({**said, "learner": study.model.origin.learner})
    elif not quiet:
        say(f"Written to {out} ({out.stat().st_size / 1000:,.0f} kB).")
