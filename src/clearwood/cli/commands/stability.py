"""`clearwood stability`: what of a model changes when its rows are resampled."""

from __future__ import annotations

from clearwood.cli.evaluation_options import GroupColumn, Judging, Samples
from clearwood.cli.learning import Learning, Prune, note_on_default, recipe_maker
from clearwood.cli.options import COMPARED, ChartPath, Data, Output, option, options
from clearwood.cli.output import answer, check_chart, note, save_chart, working
from clearwood.cli.sources import TableOptions


@options()
class StabilityOptions:
    """What `clearwood stability` takes."""

    data: Data
    source: TableOptions
    learning: Learning
    prune: Prune = None
    samples: Samples = 50
    group: GroupColumn = None
    depth: int = option(
        "N", "Most conditions of a tree's path.", COMPARED, default=2, name="--conditions", min=1
    )
    cuts: int = option(
        "N",
        "Move thresholds to the nearest of N quantiles before comparing.",
        COMPARED,
        default=10,
        name="--parts",
        min=2,
    )
    least: float = option(
        "SHARE",
        "Minimum fraction of the models that contain a rule.",
        COMPARED,
        default=0.1,
        min=0.0,
        max=1.0,
    )
    most: int = option("N", "Most rules that are listed.", COMPARED, default=20, min=1)
    picture: ChartPath = None
    output: Output


def run(asked: StabilityOptions) -> None:
    """Print the stability sheet, and draw it."""
    from clearwood.study.behaviour.stability import stability

    check_chart(asked.picture, asked.data)
    recipe_for = recipe_maker(asked.learning, asked.prune)
    table = Judging(group=asked.group).table(asked.data, asked.source, asked.output)
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
    save_chart("stability", sheet, place=asked.picture, output=asked.output)
    answer(asked.output, sheet, notes=[*table.notes, *notes], saved=asked.picture)
