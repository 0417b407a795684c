"""The report: a table on the terminal for each comparison, and all of them as one page of Markdown."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from benchmarks.judging import Section
from benchmarks.stored import Results

HEADINGS = ("who", "median", "best", "runs", "remark")


def show(section: Section, console: Console) -> None:
    table = Table(title=f"{section.name}: {section.sentence}", title_justify="left")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading in ("who", "remark") else "right")
    for row in _rows(section):
        table.add_row(*row)
    console.print(table)
    for each in section.goals:
        colour = {"met": "green", "not": "yellow"}.get(each.verdict.split()[0], "red")
        console.print(f"  [{colour}]{each.verdict}[/]  {each.goal}: {_number(each.value)}")
    console.print()


def markdown(results: Results, *, quick: bool) -> str:
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Contestants take turns in one run; figures are medians. A run of some",
        "of the comparisons leaves the others as they were: each says when it was measured.",
        "",
    ]
    if quick:
        lines += ["**A quick look at small sizes: the goals are set for the full sizes.**", ""]
    lines += [*_runs(results), "", "## Goals", ""]
    lines += ["| comparison | goal | asked | came out | | measured |", "|---|---|---:|---:|---|---|"]
    for section in results.sections:
        for each in section.goals:
            sign = "≥" if each.at_least else "≤"
            lines.append(
                f"| {section.name} | {each.goal} | {sign} {_number(each.asked)} | {_number(each.value)}"
                f" | {each.verdict} | {section.run} |"
            )
    for section in results.sections:
        lines += ["", f"## {section.name}", "", f"{section.sentence}. Measured {section.run}.", ""]
        lines += [f"| {' | '.join(HEADINGS)} |", "|---|---:|---:|---:|---|"]
        lines += [f"| {' | '.join(row)} |" for row in _rows(section)]
    return "\n".join(lines) + "\n"


def _runs(results: Results) -> list[str]:
    """A column for each run that something in the report is from."""
    facts = dict.fromkeys(key for run in results.runs.values() for key in run)
    return [
        f"| | {' | '.join(results.runs)} |",
        f"|---|{'---|' * len(results.runs)}",
        *(f"| {key} | {' | '.join(run.get(key, '–') for run in results.runs.values())} |" for key in facts),
    ]


def _rows(section: Section) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for outcome in section.outcomes:
        if not outcome.values:
            rows.append((outcome.name, "–", "–", "0", outcome.note))
            continue
        runs = "0" if outcome.quoted else str(len(outcome.values))
        figures = (f"{_number(outcome.median)} {section.unit}", f"{_number(outcome.best)} {section.unit}")
        rows.append((outcome.name, *figures, runs, outcome.note))
    return rows


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
