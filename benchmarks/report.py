"""The report: a table on the terminal, and the same as Markdown and JSON under `benchmarks/results`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.comparison import Comparison, Goal
from benchmarks.timing import Outcome

HEADINGS = ("who", "median", "best", "runs", "remark")


@dataclass(frozen=True, slots=True)
class Judged:
    """A goal, what came out (None: a contestant was missing), and whether a quoted figure took part."""

    goal: Goal
    value: float | None
    quoted: bool

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "not judged"
        return ("met" if self.goal.met(self.value) else "NOT MET") + (
            " (by a quoted figure)" if self.quoted else ""
        )


@dataclass(frozen=True, slots=True)
class Section:
    comparison: Comparison
    outcomes: list[Outcome]
    judged: list[Judged]


def judge(comparison: Comparison, outcomes: list[Outcome]) -> Section:
    medians = {outcome.name: outcome.median for outcome in outcomes if outcome.values}
    judged = []
    for goal in comparison.goals:
        asked = _Asked(medians)
        try:
            value: float | None = goal.value(asked)
        except KeyError:
            value = None
        judged.append(Judged(goal, value, any(o.quoted and o.name in asked.names for o in outcomes)))
    return Section(comparison, outcomes, judged)


class _Asked(dict[str, float]):
    """Medians that remember which of them a goal looked at."""

    def __init__(self, medians: dict[str, float]) -> None:
        super().__init__(medians)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> float:
        self.names.add(name)
        return super().__getitem__(name)


def show(section: Section, console: Console) -> None:
    table = Table(title=f"{section.comparison.name}: {section.comparison.sentence}", title_justify="left")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading in ("who", "remark") else "right")
    for row in _rows(section):
        table.add_row(*row)
    console.print(table)
    for each in section.judged:
        colour = {"met": "green", "not": "yellow"}.get(each.verdict.split()[0], "red")
        console.print(f"  [{colour}]{each.verdict}[/]  {each.goal.text}: {_number(each.value)}")
    console.print()


def write(sections: Sequence[Section], facts: dict[str, str], folder: Path, *, quick: bool) -> Path:
    """`latest.md` and `latest.json` for a full run, `quick.md` and `quick.json` for a quick one."""
    folder.mkdir(exist_ok=True)
    name = "quick" if quick else "latest"
    (folder / f"{name}.json").write_text(_json(sections, facts), encoding="utf-8")
    place = folder / f"{name}.md"
    place.write_text(_markdown(sections, facts, quick=quick), encoding="utf-8")
    return place


def _markdown(sections: Sequence[Section], facts: dict[str, str], *, quick: bool) -> str:
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Contestants take turns in one run; figures are medians.",
        "",
    ]
    if quick:
        lines += ["**A quick look at small sizes: the goals are set for the full sizes.**", ""]
    lines += ["| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in facts.items()), ""]
    lines += ["## Goals", "", "| comparison | goal | asked | came out | |", "|---|---|---:|---:|---|"]
    for section in sections:
        for each in section.judged:
            sign = "≥" if each.goal.at_least else "≤"
            lines.append(
                f"| {section.comparison.name} | {each.goal.text} | {sign} {_number(each.goal.asked)}"
                f" | {_number(each.value)} | {each.verdict} |"
            )
    for section in sections:
        lines += ["", f"## {section.comparison.name}", "", f"{section.comparison.sentence}.", ""]
        lines += [f"| {' | '.join(HEADINGS)} |", "|---|---:|---:|---:|---|"]
        lines += [f"| {' | '.join(row)} |" for row in _rows(section)]
    return "\n".join(lines) + "\n"


def _rows(section: Section) -> list[tuple[str, ...]]:
    unit = section.comparison.unit
    rows = []
    for outcome in section.outcomes:
        if not outcome.values:
            rows.append((outcome.name, "–", "–", "0", outcome.note))
            continue
        runs = "0" if outcome.quoted else str(len(outcome.values))
        figures = (f"{_number(outcome.median)} {unit}", f"{_number(outcome.best)} {unit}")
        rows.append((outcome.name, *figures, runs, outcome.note))
    return rows


def _json(sections: Sequence[Section], facts: dict[str, str]) -> str:
    told = [
        {
            "name": section.comparison.name,
            "sentence": section.comparison.sentence,
            "unit": section.comparison.unit,
            "outcomes": [
                {"who": o.name, "values": o.values, "quoted": o.quoted, "note": o.note}
                for o in section.outcomes
            ],
            "goals": [
                {"goal": j.goal.text, "asked": j.goal.asked, "value": j.value, "verdict": j.verdict}
                for j in section.judged
            ],
        }
        for section in sections
    ]
    return json.dumps({"machine": facts, "comparisons": told}, indent=1, ensure_ascii=False) + "\n"


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
