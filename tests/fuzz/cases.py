"""One case of a subject, and the running of many: what is neither accepted nor refused by us is a failure."""

from __future__ import annotations

import faulthandler
import resource
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

from clearwood.errors import ClearwoodError


@dataclass(frozen=True, slots=True)
class Case:
    """What is tried, in one line, and the trial: it returns, or raises an error of ours with a sentence."""

    title: str
    attempt: Callable[[], object]


_LONGEST: Final = 10_000  # a sentence names a column in full, however long its name is
_MOST_SECONDS: Final = 10  # of processor time, for one small input
_MOST_MEGABYTES: Final = 1000  # by which one small input may raise the most that this process ever held
_HANGS: Final = 180  # seconds after which a case is given up, and its traceback printed

Subject: TypeAlias = Callable[[Random, Path], Case]  # the folder is the case's own, and empty


@dataclass(slots=True)
class Outcome:
    """How many cases were accepted and refused, and what went wrong in the others, by case."""

    accepted: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    failures: dict[int, str] = field(default_factory=dict)

    def __str__(self) -> str:
        refused = sum(self.refused.values())
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in self.refused.most_common())
        return f"{self.accepted:,} accepted, {refused:,} refused ({kinds}), {len(self.failures):,} failures"


def run(
    name: str,
    subject: Subject,
    seed: int,
    cases: Iterable[int] | None = None,
    seconds: float = 1,
    *,
    end_if_it_hangs: bool = False,
) -> Outcome:
    """The cases of these numbers, or from 0 on until the time is up."""
    outcome = Outcome()
    end = time.monotonic() + seconds
    for number in count() if cases is None else cases:
        if cases is None and time.monotonic() > end:
            break
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            case = subject(Random(f"{name} {seed} {number}"), Path(folder))
            # Should the process die, this is the file that tells of which case.
            Path(tempfile.gettempdir(), f"clearwood-fuzz-{name}").write_text(
                f"--seed {seed} --case {number}\n"
            )
            if end_if_it_hangs:
                faulthandler.dump_traceback_later(_HANGS, exit=True)
            began, held = time.process_time(), _most_held()
            try:
                case.attempt()
                outcome.accepted += 1
            except ClearwoodError as error:
                outcome.refused[type(error).__name__] += 1
                if not _is_sentence(str(error)):
                    outcome.failures[number] = f"{case.title}\nis no sentence: {error}"
            except Exception:
                outcome.failures[number] = f"{case.title}\n{traceback.format_exc()}"
            took, more = time.process_time() - began, _most_held() - held
            if took > _MOST_SECONDS or more > _MOST_MEGABYTES:
                outcome.failures[number] = f"{case.title}\ntook {took:.0f} s and {more:.0f} MB"
    faulthandler.cancel_dump_traceback_later()
    return outcome


def _most_held() -> float:
    """The most memory that this process has held so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1024 * 1024 if sys.platform == "darwin" else 1024
    )


def _is_sentence(text: str) -> bool:
    return bool(text.strip()) and len(text) < _LONGEST and text.rstrip()[-1] not in ",:"
