"""`clearwood audit`: what overlaps, conflicts, falls through, never answers, or could go in rules."""

from __future__ import annotations

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
    Query,
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


def audit(
    rules: RuleFile,
    data: Annotated[
        str | None,
        typer.Argument(metavar="[DATA]", help="Rows to count; for rules as text also what the columns are."),
    ] = None,
    most: Annotated[int, typer.Option(metavar="N", min=0, help="List so many of each kind.")] = 20,
    budget: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="How much work a hard list may cost.")
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
    query: Query = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check rules on paper: overlaps, conflicts, gaps, dead and redundant ones, what their order decides."""
    from clearwood.audit import audit as audit_rules
    from clearwood.audit.auditing import BUDGET
    from clearwood.cli.rule_files import Reading, read_rule_file
    from clearwood.cli.speaking import as_options, note, say, say_json
    from clearwood.models.rule_text import rule_lines

    reading = Reading(
        target,
        weight,
        schema,
        columns_as(kind, order, ignore, weights_are),
        query,
        written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes),
    )
    found = read_rule_file(rules, reading, *([] if data is None else [data]))
    audited = audit_rules(found.rules, *found.tables, most=most, budget=BUDGET if budget is None else budget)
    if as_json:
        told = {"text": rule_lines(found.rules), **audited.to_json(), "notes": as_options(found.notes)}
        say_json(told)
        return
    note(found.notes, quiet=quiet)
    if not quiet:
        for number, line in enumerate(rule_lines(found.rules), 1):
            say(f"{number:>3}  {line}")
        say()
    say(str(audited))
