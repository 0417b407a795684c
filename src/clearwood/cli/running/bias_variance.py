"""What `bias-variance` does: the errors of learners in parts, as tables and as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clearwood.cli.charting import check_chart, save_chart
from clearwood.cli.dividing import design_of, table_to_divide
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning import learners_or_default
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.source_options import Source
from clearwood.study.behaviour.bias_variance import bias_variance


def run(
    data: str,
    source: Source,
    output: Output,
    *,
    learners: Sequence[str] | None,
    samples: int,
    part: float,
    group: str | None,
    seed: int | None,
    place: Path | None,
) -> None:
    """Print the parts of each learner's error, and draw them."""
    check_chart(place, data)
    named = learners_or_default(learners)
    judging = Judging(test_part=part, group=group)
    table = table_to_divide(data, source, judging, output)
    design_of(judging, seed, len(table))  # refuses a part that leaves no rows
    by_name, notes = named(table)
    note(notes, output)
    with working("Learning"):
        parts = bias_variance(by_name, table, samples=samples, part=part, group=group, seed=seed or 0)
    if place is not None:
        from clearwood.draw.charts.comparison import bias_variance as chart  # late: not all draw

        save_chart(chart(parts), place, output)
    answer(
        output,
        text=lambda: "\n".join([str(parts), *parts.conclusions]),
        data=parts.to_json,
        notes=[*table.notes, *notes],
        saved=place,
    )
