"""Peak memory beyond the caller's data, each learner in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Goal, Measured, Size, entrant
from benchmarks.processes import python

ROWS = 1_000_000

# A small tree first, so that libraries and thread pools are there before the line is drawn. Writing 5 to
# clear_refs sets the peak of resident memory back to what is resident now.
SCRIPT = """
import sys
from pathlib import Path
from benchmarks import learners
from benchmarks.tables import normal_table

def resident(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith(field)).split()[1])

learn = getattr(learners, sys.argv[1])
settings = eval(sys.argv[3])
learn(*normal_table(1000), **settings)
x, y = normal_table(int(sys.argv[2]))
Path("/proc/self/clear_refs").write_text("5")
before = resident("VmRSS")
model = learn(x, y, **settings)
print((resident("VmHWM") - before) / len(y))
"""


def _measure(learner: str, rows: int, settings: str) -> Measured:
    return Measured(float(python(["-c", SCRIPT, learner, str(rows), settings])))


def _enter(size: Size) -> Sequence[Entrant]:
    rows = size.rows(ROWS)
    return [
        Contestant(OURS, lambda: _measure("clearwood", rows, "dict(max_depth=8)")),
        entrant("scikit-learn", "sklearn.tree", lambda: _measure("scikit_learn", rows, "dict(max_depth=8)")),
        entrant("LightGBM", "lightgbm", lambda: _measure("light_gbm", rows, "{}")),
        Contestant(f"{OURS}, deep", lambda: _measure("clearwood", rows, "dict(min_leaf=20)")),
        entrant(
            "scikit-learn, deep",
            "sklearn.tree",
            lambda: _measure("scikit_learn", rows, "dict(min_samples_leaf=20)"),
        ),
    ]


def _beyond(ours: str, peer: str) -> Goal:
    text = f"{ours}: at most {peer}'s + 200"
    return Goal(text, lambda medians: medians[ours] - medians[peer], 200, at_least=False)


COMPARISONS = (
    Comparison(
        "memory",
        "Peak memory beyond the caller's data, 1,000,000 × 20 float32, depth 8 and deep",
        _enter,
        (_beyond(OURS, "scikit-learn"), _beyond(f"{OURS}, deep", "scikit-learn, deep")),
        unit="bytes a row",
    ),
)
