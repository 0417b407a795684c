"""What `select` does: rank the columns of a table, and see how steady the choice is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clearwood.catalogue import SELECTORS
from clearwood.cli.charting import check_chart, save_chart
from clearwood.cli.learning import recipe_maker
from clearwood.cli.learning_options import Learning
from clearwood.cli.options import Output
from clearwood.cli.output import answer
from clearwood.cli.progress import working
from clearwood.cli.selecting import read_selection, selection_with
from clearwood.cli.source_options import Source
from clearwood.cli.sources import table_to_learn
from clearwood.cli.writing import check_place
from clearwood.errors import SettingError
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.registry import settings_of
from clearwood.selecting.ranking import Ranking
from clearwood.selecting.selection import select
from clearwood.selecting.stability import SelectionStability, selection_stability
from clearwood.study.designs import Bootstrap
from clearwood.table.schema_file import save_schema


def run(
    data: str,
    source: Source,
    learning: Learning,
    output: Output,
    *,
    by: str,
    stability: int | None,
    save: Path | None,
    place: Path | None,
) -> None:
    """Print the ranking, and how often each column is kept in samples of the rows; draw one of them."""
    read = read_selection(by)
    selector = SELECTORS[read.by]
    if not selector.needs_learner and (learning.learner is not None or learning.settings):
        given = "--learner" if learning.learner is not None else "--set"
        raise SettingError(
            f"{given} is for forward and backward, which try a learner; {read.by} tries none. "
            f"Leave it out. Settings of {read.by} stand after a colon: --method {read.by}:NAME=VALUE."
        )
    recipe_for = recipe_maker(learning) if selector.needs_learner else None
    check_place(save, data)
    check_chart(place, data, save)
    table = table_to_learn(data, source, output)
    learner: Learner[Model] | None = None if recipe_for is None else recipe_for(table).learner
    selection = selection_with(read, learner, learning.seed)
    with working("Ranking"):
        ranking = selection.rank(table)
    steady = None
    if stability is not None:
        with working("Ranking samples"):
            steady = selection_stability(table, selection, Bootstrap(stability, learning.seed or 0))
    if save is not None:
        save_schema(select(table, ranking).schema, save)
    if place is not None:
        from clearwood.draw import charts  # late: not all draw

        chart = charts.ranking(ranking) if steady is None else charts.selection_stability(steady)
        save_chart(chart, place, output)
    drawn = stability is not None or "seed" in settings_of(selector.order)
    in_vain = [] if learning.seed is None or drawn else ["Nothing here is random: --seed changes nothing."]
    answer(
        output,
        text=lambda: _to_text(ranking, steady),
        data=lambda: _to_json(ranking, steady, place),
        notes=[*table.notes, *in_vain],
        saved=save,
    )


def _to_text(ranking: Ranking, steady: SelectionStability | None) -> str:
    return str(ranking) if steady is None else f"{ranking}\n\n{steady}"


def _to_json(ranking: Ranking, steady: SelectionStability | None, place: Path | None) -> dict[str, Any]:
    more: dict[str, Any] = {} if steady is None else {"stability": steady.to_json()}
    return {**ranking.to_json(), **more, "chart": None if place is None else str(place)}
