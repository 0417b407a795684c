"""What `learning-curve` does: learners by the number of rows they learn from, as figures and as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clearwood.cli.charting import check_chart, save_chart
from clearwood.cli.learning import learners_or_default
from clearwood.cli.options import Output, Source
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.sources import table_to_learn
from clearwood.errors import SettingError
from clearwood.study.designs import Folds
from clearwood.study.learning_curve import learning_curve
from clearwood.table.table import Table


def run(
    data: str,
    source: Source,
    output: Output,
    *,
    learners: Sequence[str] | None,
    sizes: str,
    folds: int,
    repeats: int,
    group: str | None,
    score: str | None,
    seed: int | None,
    place: Path | None,
) -> None:
    """Print the curves, and draw them."""
    check_chart(place, data)
    chosen = _sizes(sizes)
    named = learners_or_default(learners)
    table = table_to_learn(data, source, output)
    design = Folds(_folds(folds, table), seed or 0, repeats=repeats, group=group)
    by_name, notes = named(table)
    note(notes, output)
    with working("Learning"):
        curves = learning_curve(by_name, table, sizes=chosen, design=design, score=score, seed=seed or 0)
    if place is not None:
        from clearwood.draw.charts.learning_curve import learning_curve as chart  # late: not all draw

        save_chart(chart(curves), place, output)
    answer(
        output,
        text=lambda: str(curves),
        data=curves.to_json,
        notes=[*table.notes, *notes],
        saved=place,
    )


def _sizes(text: str) -> int | list[int]:
    """A number of sizes, or the sizes themselves.

    >>> _sizes("8"), _sizes("100,1000")
    (8, [100, 1000])
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise SettingError(f"--sizes takes a whole number, or several with commas between, not '{text}'.")
    return int(parts[0]) if len(parts) == 1 else [int(part) for part in parts]


def _folds(folds: int, table: Table) -> int:
    """Refuse more folds than rows in the words of the option."""
    if folds > len(table):
        raise SettingError(f"--folds must be between 2 and the number of rows ({len(table)}), not {folds}.")
    return folds
