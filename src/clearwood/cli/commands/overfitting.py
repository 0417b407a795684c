"""`clearwood overfitting`: the size of a tree and what it learns, with and without noise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clearwood.catalogue import trees
from clearwood.cli.evaluation_options import Judging
from clearwood.cli.learning import LearningTree
from clearwood.cli.options import ChartPath, Data, Output, option, options
from clearwood.cli.output import answer, note
from clearwood.cli.sources import TableOptions
from clearwood.errors import SettingError

if TYPE_CHECKING:
    from clearwood.study.behaviour.overfitting import Overfitting, OverfittingByNoise


# C4.5 asks more of a split than chance gives, pruned or not, and so hides what noise does.
_WITH_NOISE: Final = "cart"
_PART: Final = 0.3  # of the rows, where no way of judging is given


@options()
class OverfittingOptions:
    """What `clearwood overfitting` takes."""

    data: Data
    source: TableOptions
    learning: LearningTree
    noise: list[float] | None = option(
        "SHARE", "Put noise into this share of the rows learned from; may be repeated, 0 is none.", min=0.0
    )
    judging: Judging
    picture: ChartPath = None
    output: Output


def run(asked: OverfittingOptions) -> None:
    """Print the curve, or with several shares of noise one line for each; draw them."""
    from clearwood.cli.evaluation_options import check_judging, design_of, resampling_given, table_to_divide
    from clearwood.cli.learning import note_on_default, recipe_maker
    from clearwood.cli.progress import working
    from clearwood.cli.writing import check_chart
    from clearwood.learners.learner import Unpruned
    from clearwood.study.behaviour.overfitting import overfitting, overfitting_by_noise

    learning = asked.learning
    judging = asked.judging
    check_chart(asked.picture, asked.data)
    if judging.test_part is None and not resampling_given(judging):
        judging = replace(judging, test_part=_PART)
    check_judging(judging)
    if learning.learner is not None and learning.learner.lower() not in trees():
        raise SettingError(
            f"overfitting is about the size of trees, but {learning.learner} learns none. "
            f"Learners of trees: {', '.join(trees())}."
        )
    usual = asked.noise is not None and learning.learner is None
    if usual:
        learning = replace(learning, learner=_WITH_NOISE)
    recipe_for = recipe_maker(learning)
    table = table_to_divide(asked.data, asked.source, judging, asked.output)
    recipe = recipe_for(table)
    notes = note_on_default(learning, recipe)
    if usual:
        made = type(recipe.learner).__name__
        notes = [f"{made} grows the trees, in full, noise and all. For another learner: --learner NAME."]
    note(notes, asked.output)
    learner: Any = recipe.learner
    how: dict[str, Any] = {
        "design": design_of(judging, learning.seed, len(table)),
        "seed": learning.seed or 0,
    }
    curve: Overfitting | OverfittingByNoise
    with working("Learning"):
        if asked.noise is not None and len(asked.noise) > 1:
            curve = overfitting_by_noise(Unpruned(learner), table, noise=asked.noise, **how)
        else:
            curve = overfitting(Unpruned(learner), table, noise=asked.noise[0] if asked.noise else 0.0, **how)
    if asked.picture is not None:
        _draw(curve, asked.picture, asked.output)
    grown = f"{type(learner).__name__}, grown in full: nothing is pruned but to get the smaller trees."
    answer(
        asked.output,
        text=lambda: "\n".join([str(curve), *_concluded(curve), grown]),
        data=lambda: {"learner": type(learner).__name__, "pruned": False, **curve.to_json()},
        notes=[*table.notes, *notes],
        saved=asked.picture,
    )


def _concluded(curve: Overfitting | OverfittingByNoise) -> list[str]:
    from clearwood.study.behaviour.overfitting import OverfittingByNoise

    return [curve.conclusion] if isinstance(curve, OverfittingByNoise) and curve.conclusion else []


def _draw(curve: Overfitting | OverfittingByNoise, place: Path, output: Output) -> None:
    from clearwood.cli.writing import save_chart
    from clearwood.draw import charts  # late: not all draw
    from clearwood.study.behaviour.overfitting import OverfittingByNoise

    if isinstance(curve, OverfittingByNoise):
        save_chart(charts.overfitting_by_noise(curve), place, output)
    else:
        save_chart(charts.overfitting(curve), place, output)
