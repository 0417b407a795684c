"""Starting up: the import, the help page, a fit on fourteen rows."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Goal, Size, at_most
from benchmarks.processes import python


def _import(_: Size) -> Sequence[Entrant]:
    return [
        Contestant("import numpy", lambda: python(["-c", "import numpy"])),
        Contestant(OURS, lambda: python(["-c", "import numpy, clearwood"])),
    ]


def _command(_: Size) -> Sequence[Entrant]:
    folder = tempfile.TemporaryDirectory()
    place = Path(folder.name)
    (place / "tennis.csv").write_text(
        files("clearwood.datasets").joinpath("tennis.csv").read_text(encoding="utf-8"), encoding="utf-8"
    )
    fit = ["-m", "clearwood", "fit", "tennis.csv", "--target", "PlayTennis", "--learner", "c45"]
    return [
        Contestant("python", lambda: python(["-c", "pass"])),
        Contestant("clearwood --help", lambda: python(["-m", "clearwood", "--help"])),
        Contestant("clearwood fit", lambda: (folder, python([*fit, "--save", "m.json"], place))[1]),
    ]


COMPARISONS = (
    Comparison(
        "import",
        "`import clearwood` beyond NumPy, in a fresh process",
        _import,
        (
            Goal(
                "at most 0.1 s beyond NumPy",
                lambda medians: medians[OURS] - medians["import numpy"],
                0.1,
                at_least=False,
            ),
        ),
    ),
    Comparison(
        "command",
        "The command line as a whole process: its help, and a fit on the fourteen rows of tennis",
        _command,
        (at_most(0.3, "clearwood --help", "s"), at_most(0.4, "clearwood fit", "s")),
    ),
)
