"""R's rpart, run by Rscript over a folder of CSV files: the complexity table and the nodes of each tree."""

from __future__ import annotations

import csv
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.arff import by_position
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table

_SCRIPT = Path(__file__).with_name("rpart.R")


@dataclass(frozen=True, slots=True)
class Job:
    """One tree to grow to its end (cp = 0), without cross-validation."""

    table: Table
    min_rows: int = 20
    min_leaf: int = 7


@dataclass(slots=True)
class Grown:
    """Complexity table [CP, splits, relative error] and nodes [number, attribute or '', rows, risk]."""

    cp: list[tuple[float, int, float]] = field(default_factory=list)
    nodes: list[tuple[int, str, int, float]] = field(default_factory=list)
    seconds: float = 0.0


def available() -> bool:
    """Is R here, with rpart?"""
    command = ["Rscript", "-e", "library(rpart)"]
    return (
        shutil.which("Rscript") is not None and subprocess.run(command, capture_output=True).returncode == 0
    )


def rpart(jobs: Sequence[Job]) -> tuple[str, list[Grown]]:
    """rpart's version, and a tree for each job."""
    with tempfile.TemporaryDirectory() as folder:
        listing = Path(folder) / "jobs.csv"
        with listing.open("w", newline="") as file:
            for i, job in enumerate(jobs):
                place = Path(folder) / f"{i}.csv"
                _write(job.table, place)
                method = "anova" if isinstance(job.table.schema.target, Numeric) else "class"
                csv.writer(file).writerow([place, method, job.min_rows, job.min_leaf])
        done = subprocess.run(
            ["Rscript", "--vanilla", str(_SCRIPT), str(listing)], capture_output=True, text=True, check=True
        )
    version, grown = "", []
    for line in done.stdout.splitlines():
        match line.rstrip("\t").split("\t"):
            case ["version", rpart_version]:
                version = f"rpart {rpart_version}"
            case ["tree", _, seconds]:
                grown.append(Grown(seconds=float(seconds)))
            case ["cp", cp, splits, error]:
                grown[-1].cp.append((float(cp), int(splits), float(error)))
            case ["node", number, attribute, rows, risk]:
                name = "" if attribute == "<leaf>" else attribute
                grown[-1].nodes.append((int(number), name, int(rows), float(risk)))
    return version, grown


def _write(table: Table, place: Path) -> None:
    """By position, `?` for an empty cell."""
    plain = by_position(table)
    columns = []
    for attribute in (*plain.schema.inputs, plain.schema.target):
        assert attribute is not None
        cells = plain.columns[attribute.name].tolist()
        if isinstance(attribute, Nominal | Ordinal):
            columns.append(["?" if cell < 0 else attribute.values[cell] for cell in cells])
        else:
            columns.append(["?" if np.isnan(cell) else repr(cell) for cell in cells])
    with place.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(a.name for a in plain.schema.inputs), "y"])
        writer.writerows(zip(*columns, strict=True))
