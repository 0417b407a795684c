"""`python -m tests.fuzz [SUBJECT …] --seconds N --seed S [--case NUMBER]`."""

from __future__ import annotations

import argparse
import faulthandler
import sys

from tests.fuzz.cases import run
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
    asked = parser.parse_args()
    unknown = [name for name in asked.subjects if name not in SUBJECTS]
    if unknown:
        parser.error(f"no subject {unknown[0]}; there are {', '.join(SUBJECTS)}")
    faulthandler.enable()
    failed = 0
    for name in asked.subjects or SUBJECTS:
        cases = None if asked.case is None else [asked.case]
        outcome = run(name, SUBJECTS[name], asked.seed, cases, asked.seconds, end_if_it_hangs=True)
        for number, failure in list(outcome.failures.items())[:_SHOWN]:
            print(f"--- {name} --seed {asked.seed} --case {number}\n{failure}\n")
        print(f"{name}: {outcome}")
        failed += len(outcome.failures)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
