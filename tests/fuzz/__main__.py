"""`python -m tests.fuzz [SUBJECT …] --seconds N --seed S [--case NUMBER]`, or `--processes [COUNT]`."""

from __future__ import annotations

import argparse
import faulthandler
import signal
import sys

from tests.fuzz.cases import Outcome, run
from tests.fuzz.processes import run_processes
from tests.fuzz.subjects import SUBJECTS

_SHOWN = 10  # failures written out


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Odd inputs by chance.")
    parser.add_argument(
        "subjects", nargs="*", metavar="SUBJECT", help=f"of {', '.join(SUBJECTS)}; all if none"
    )
    parser.add_argument("--seconds", type=float, default=60, help="for each subject")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="only the case of this number")
    parser.add_argument(
        "--processes",
        type=int,
        nargs="?",
        const=500,
        metavar="COUNT",
        help="disturbed processes instead (500)",
    )
    options = parser.parse_args()
    unknown = [name for name in options.subjects if name not in SUBJECTS]
    if unknown:
        parser.error(f"no subject {unknown[0]}; there are {', '.join(SUBJECTS)}")
    faulthandler.enable()
    # A shell leaves it ignored in what it starts in the background, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    cases = None if options.case is None else [options.case]
    if options.processes is not None:
        outcome = run_processes(options.seed, range(options.processes) if cases is None else cases)
        return _report("--processes", outcome, options.seed)
    wrong = 0
    for name in options.subjects or SUBJECTS:
        outcome = run(name, SUBJECTS[name], options.seed, cases, options.seconds, end_if_it_hangs=True)
        wrong |= _report(name, outcome, options.seed)
    return wrong


def _report(name: str, outcome: Outcome, seed: int) -> int:
    """Print what came of it; 1 where something is wrong."""
    for number, failure in list(outcome.failures.items())[:_SHOWN]:
        print(f"--- {name} --seed {seed} --case {number}\n{failure}\n")
    print(f"{name}: {outcome}", flush=True)
    return min(len(outcome.failures), 1)


if __name__ == "__main__":
    sys.exit(main())
