"""What `learning-curve` does: learners by the number of rows they learn from, as figures and as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clearwood.cli.charting import check_chart, save_chart
from clearwood.cli.dividing import check_judging, design_of, table_to_divide, with_usual_folds
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning import learners_or_default
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.source_options import Source
from clearwood.errors import SettingError
from clearwood.study.behaviour.learning_curve import learning_curve


def run(
    data: str,
    source: Source,
    judging: Judging,
    output: Output,
    *,
    learners: Sequence[str] | None,
    sizes: str,
    score: str | None,
    positive: str | None,
    seed: int | None,
    place: Path | None,
) -> None:
    """Print the curves, and draw them."""
    check_chart(place, data)
    judging = with_usual_folds(judging, "5")
    check_judging(judging)
    chosen = _sizes(sizes)
    named = learners_or_default(learners)
    table = table_to_divide(data, source, judging, output)
    design = design_of(judging, seed, len(table))
    by_name, notes = named(table)
    note(notes, output)
    with working("Learning"):
        curves = learning_curve(
            by_name,
            table,
            sizes=chosen,
            design=design,
            score=score,
            positive=positive,
            seed=seed or 0,
        )
    if place is not None:
        from clearwood.draw.charts.learning_curves import learning_curve as chart  # late: not all draw

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
