"""`clearwood select`: which columns tell most of the target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.catalogue import SELECTORS
from clearwood.cli.learning import Learning
from clearwood.cli.options import JUDGING, ChartPath, Data, Output, option, options
from clearwood.cli.output import answer
from clearwood.cli.sources import TableOptions
from clearwood.errors import SettingError
from clearwood.registry import settings_of
from clearwood.selecting.ranking import Ranking

if TYPE_CHECKING:
    from clearwood.learners.learner import Learner
    from clearwood.models.model import Model
    from clearwood.selecting.selection import SelectionStability


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
    from clearwood.cli.learning import recipe_maker
    from clearwood.cli.progress import working
    from clearwood.cli.recipe_steps import read_selection, selection_with
    from clearwood.cli.sources import table_to_learn
    from clearwood.cli.writing import check_chart, check_place, save_chart
    from clearwood.selecting.selection import select, selection_stability
    from clearwood.study.designs import Bootstrap
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
    if asked.picture is not None:
        from clearwood.draw import charts  # late: not all draw

        chart = charts.ranking(ranking) if steady is None else charts.selection_stability(steady)
        save_chart(chart, asked.picture, asked.output)
    drawn = asked.stability is not None or "seed" in settings_of(selector.order)
    in_vain = (
        [] if asked.learning.seed is None or drawn else ["Nothing here is random: --seed changes nothing."]
    )
    answer(
        asked.output,
        text=lambda: _to_text(ranking, steady),
        data=lambda: _to_json(ranking, steady, asked.picture),
        notes=[*table.notes, *in_vain],
        saved=asked.save,
    )


def _to_text(ranking: Ranking, steady: SelectionStability | None) -> str:
    return str(ranking) if steady is None else f"{ranking}\n\n{steady}"


def _to_json(ranking: Ranking, steady: SelectionStability | None, place: Path | None) -> dict[str, Any]:
    more: dict[str, Any] = {} if steady is None else {"stability": steady.to_json()}
    return {**ranking.to_json(), **more, "chart": None if place is None else str(place)}
