"""`clearwood select`: which columns tell most of the target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clearwood.catalogue import SELECTORS
from clearwood.cli.learning import Learning, note_on_unused_seed, read_selection, recipe_maker, selection_with
from clearwood.cli.options import JUDGING, ChartPath, Data, Output, option, options
from clearwood.cli.output import answer, check_chart, check_place, save_chart, working
from clearwood.cli.sources import TableOptions, table_to_learn
from clearwood.errors import SettingError
from clearwood.registry import settings_of
from clearwood.study.designs import Bootstrap

if TYPE_CHECKING:
    from clearwood.learners.learner import Learner
    from clearwood.models.model import Model


@options()
class SelectOptions:
    """What `clearwood select` takes."""

    data: Data
    source: TableOptions
    by: str = option(
        "NAME", f"How to rank, as mrmr or relieff:8: {', '.join(SELECTORS)}.", default="mrmr", name="--method"
    )
    stability: int | None = option(
        "SAMPLES",
        "Also say how often each column is kept in this many bootstrap samples of the rows.",
        JUDGING,
        min=2,
    )
    learning: Learning
    save: Path | None = option("FILE", "Write the schema with the other columns ignored, for --schema.")
    picture: ChartPath = None
    output: Output


def run(asked: SelectOptions) -> None:
    """Print the ranking, and how often each column is kept in samples of the rows; draw one of them."""
    from clearwood.selecting.selection import select, selection_stability
    from clearwood.table.schema_file import save_schema

    read = read_selection(asked.by)
    selector = SELECTORS[read.by]
    if not selector.needs_learner and (asked.learning.learner is not None or asked.learning.settings):
        given = "--learner" if asked.learning.learner is not None else "--set"
        raise SettingError(
            f"{given} is for forward and backward, which try a learner; {read.by} tries none. "
            f"Leave it out. Settings of {read.by} stand after a colon: --method {read.by}:NAME=VALUE."
        )
    recipe_for = recipe_maker(asked.learning) if selector.needs_learner else None
    check_place(asked.save, asked.data)
    check_chart(asked.picture, asked.data, asked.save)
    table = table_to_learn(asked.data, asked.source, asked.output)
    learner: Learner[Model] | None = None if recipe_for is None else recipe_for(table).learner
    selection = selection_with(read, learner, asked.learning.seed)
    with working("Ranking"):
        ranking = selection.rank(table)
    steady = None
    if asked.stability is not None:
        with working("Ranking samples"):
            steady = selection_stability(
                table, selection, Bootstrap(asked.stability, asked.learning.seed or 0)
            )
    if asked.save is not None:
        save_schema(select(table, ranking).schema, asked.save)
    chart, drawn = ("ranking", ranking) if steady is None else ("selection_stability", steady)
    save_chart(chart, drawn, place=asked.picture, output=asked.output)
    by_chance = asked.stability is not None or "seed" in settings_of(selector.order)
    answer(
        asked.output,
        text=lambda: str(ranking) if steady is None else f"{ranking}\n\n{steady}",
        data=lambda: {
            **ranking.to_json(),
            **({} if steady is None else {"stability": steady.to_json()}),
            "chart": None if asked.picture is None else str(asked.picture),
        },
        notes=[*table.notes, *note_on_unused_seed(asked.learning.seed, drawn=by_chance)],
        saved=asked.save,
    )
