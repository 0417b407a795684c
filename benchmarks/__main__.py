"""`python -m benchmarks`: Clearwood beside its peers; `--only tree`, `--quick`, `--list`."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

# Libraries with thread pools of their own read these when they load.
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"), "2"))

from rich.console import Console

from benchmarks.comparison import Absent, Comparison, Entrant, Size
from benchmarks.judging import judge
from benchmarks.machine import busy, machine
from benchmarks.report import markdown, show
from benchmarks.stored import load, save
from benchmarks.timing import take_turns

RESULTS = Path(__file__).parent / "results"


def main() -> int:
    from benchmarks.comparisons import COMPARISONS

    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", choices=COMPARISONS, help="these comparisons alone"
    )
    parser.add_argument("--quick", action="store_true", help="a fiftieth of the rows: does everything run?")
    parser.add_argument("--list", action="store_true", help="name the comparisons and stop")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each contestant, at most")
    parser.add_argument(
        "--patience", type=float, default=20, help="seconds after which a slow one stops repeating"
    )
    given = parser.parse_args()
    console = Console()
    if given.list:
        for comparison in COMPARISONS.values():
            console.print(f"[bold]{comparison.name:12}[/] {comparison.sentence}")
        return 0
    date = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    facts = {**machine(), "busy before": busy()}
    size = Size(1 / 50) if given.quick else Size()
    RESULTS.mkdir(exist_ok=True)
    place = RESULTS / ("quick.json" if given.quick else "latest.json")
    results = load(place)
    for name in given.only or COMPARISONS:
        comparison = COMPARISONS[name]
        console.print(f"[dim]{comparison.name} …[/]")
        outcomes = take_turns(_enter(comparison, size), given.rounds, given.patience)
        section = judge(comparison, outcomes, date)
        show(section, console)
        # After each comparison, so that a run broken off keeps what it measured.
        results = results.with_section(section, facts, COMPARISONS)
        save(results, place)
        page = place.with_suffix(".md")
        page.write_text(markdown(results, quick=given.quick), encoding="utf-8")
    console.print(f"Written to {page.relative_to(Path.cwd()) if page.is_relative_to(Path.cwd()) else page}")
    return 0


def _enter(comparison: Comparison, size: Size) -> list[Entrant]:
    """The contestants, or one line that says why they could not be set up."""
    try:
        return list(comparison.enter(size))
    except Exception as error:
        return [Absent("set-up", f"{type(error).__name__}: {error}".splitlines()[0])]


if __name__ == "__main__":
    sys.exit(main())
