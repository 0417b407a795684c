"""What `stability` does: models of rows drawn anew, compared on a sheet and in a chart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clearwood.cli.charting import check_chart, save_chart
from clearwood.cli.dividing import table_to_divide
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning import note_on_default, recipe_maker
from clearwood.cli.learning_options import Learning
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.source_options import Source
from clearwood.study.behaviour.stability import stability


def run(
    data: str,
    source: Source,
    learning: Learning,
    output: Output,
    *,
    prune: Sequence[str] | None,
    samples: int,
    group: str | None,
    depth: int,
    cuts: int,
    least: float,
    most: int,
    place: Path | None,
) -> None:
    """Print the stability sheet, and draw it."""
    check_chart(place, data)
    recipe_for = recipe_maker(learning, prune)
    table = table_to_divide(data, source, Judging(group=group), output)
    recipe = recipe_for(table)
    notes = note_on_default(learning, recipe)
    note(notes, output)
    with working("Learning"):
        sheet = stability(
            recipe,
            table,
            samples=samples,
            depth=depth,
            cuts=cuts,
            least=least,
            most=most,
            group=group,
            seed=learning.seed or 0,
        )
    if place is not None:
        from clearwood.draw.charts.rankings import stability as chart  # late: not all draw

        save_chart(chart(sheet), place, output)
    answer(output, text=lambda: str(sheet), data=sheet.to_json, notes=[*table.notes, *notes], saved=place)
