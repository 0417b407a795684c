"""`clearwood stability`: what of a model changes when its rows are resampled."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.app import COMPARED, option
from clearwood.cli.evaluation_options import GroupColumn, Judging, Samples
from clearwood.cli.learning import Learning, Prune
from clearwood.cli.options import ChartPath, Data, Output
from clearwood.cli.output import answer, note
from clearwood.cli.sources import TableOptions
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StabilityOptions:
    """What `clearwood stability` takes."""

    data: Data
    source: TableOptions
    learning: Learning
    prune: Prune = None
    samples: Samples = 50
    group: GroupColumn = None
    depth: Annotated[
        int,
        option("--conditions", "N", "Most conditions of a tree's path.", COMPARED, min=1),
    ] = 2
    cuts: Annotated[
        int,
        option(
            "--parts", "N", "Move thresholds to the nearest of N quantiles before comparing.", COMPARED, min=2
        ),
    ] = 10
    least: Annotated[
        float,
        option(
            "--least",
            "SHARE",
            "Minimum fraction of the models that contain a rule.",
            COMPARED,
            min=0.0,
            max=1.0,
        ),
    ] = 0.1
    most: Annotated[int, option("--most", "N", "Most rules that are listed.", COMPARED, min=1)] = 20
    picture: ChartPath = None
    output: Output


def run(asked: StabilityOptions) -> None:
    """Print the stability sheet, and draw it."""
    from clearwood.cli.evaluation_options import table_to_divide
    from clearwood.cli.learning import note_on_default, recipe_maker
    from clearwood.cli.progress import working
    from clearwood.cli.writing import check_chart, save_chart
    from clearwood.study.behaviour.stability import stability

    check_chart(asked.picture, asked.data)
    recipe_for = recipe_maker(asked.learning, asked.prune)
    table = table_to_divide(asked.data, asked.source, Judging(group=asked.group), asked.output)
    recipe = recipe_for(table)
    notes = note_on_default(asked.learning, recipe)
    note(notes, asked.output)
    with working("Learning"):
        sheet = stability(
            recipe,
            table,
            samples=asked.samples,
            depth=asked.depth,
            cuts=asked.cuts,
            least=asked.least,
            most=asked.most,
            group=asked.group,
            seed=asked.learning.seed or 0,
        )
    if asked.picture is not None:
        from clearwood.draw.charts.rankings import stability as chart  # late: not all draw

        save_chart(chart(sheet), asked.picture, asked.output)
    answer(
        asked.output,
        text=lambda: str(sheet),
        data=sheet.to_json,
        notes=[*table.notes, *notes],
        saved=asked.picture,
    )
