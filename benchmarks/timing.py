"""Side by side: contestants take turns in one process, so that a busy minute slows all of them."""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from benchmarks.comparison import Absent, Contestant, Entrant, Measured, Quoted


@dataclass(slots=True)
class Outcome:
    """What one contestant took, run by run, in the comparison's unit."""

    name: str
    values: list[float] = field(default_factory=list)
    note: str = ""
    quoted: bool = False
    failed: bool = False

    @property
    def median(self) -> float:
        return median(self.values)

    @property
    def best(self) -> float:
        return min(self.values)


def take_turns(entrants: Sequence[Entrant], rounds: int, patience: float) -> list[Outcome]:
    """Up to `rounds` runs each; one that has used up `patience` seconds stops after the run it is in."""
    outcomes = [Outcome(entrant.name) for entrant in entrants]
    spent = [0.0] * len(entrants)
    for turn in range(rounds):
        for i, (entrant, outcome) in enumerate(zip(entrants, outcomes, strict=True)):
            match entrant:
                case Absent(because=because):
                    outcome.note = f"skipped: {because}"
                case Quoted(value=value, source=source):
                    outcome.values, outcome.quoted, outcome.note = [value], True, f"not measured: {source}"
                case Contestant():
                    if not outcome.failed and (turn == 0 or spent[i] < patience):
                        spent[i] += _run(entrant, outcome, last=turn == rounds - 1 or turn == 0)
    return outcomes


def _run(contestant: Contestant, outcome: Outcome, *, last: bool) -> float:
    gc.collect()
    start = time.perf_counter()
    try:
        result: Any = contestant.run()
    except Exception as error:
        # A peer, or a part of ours, that breaks is a line of the table, not the end of the run.
        outcome.failed, outcome.note = True, f"failed: {type(error).__name__}: {error}".splitlines()[0][:200]
        outcome.values.clear()
        return 0.0
    seconds = time.perf_counter() - start
    if isinstance(result, Measured):
        outcome.values.append(result.value)
        outcome.note = result.note
    else:
        outcome.values.append(seconds)
        if last:
            outcome.note = contestant.describe(result)
    return seconds
