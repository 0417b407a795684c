"""What `overfitting` does: the subtrees of a tree by size, judged on its own and on other rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from clearwood.catalogue import trees
from clearwood.cli.charting import check_chart, save_chart
from clearwood.cli.dividing import check_judging, design_of, resampling_given, table_to_divide
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning import note_on_default, recipe_maker
from clearwood.cli.learning_options import LearningTree
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.source_options import Source
from clearwood.errors import SettingError
from clearwood.learners.learner import Unpruned
from clearwood.study.behaviour.overfitting import (
    Overfitting,
    OverfittingByNoise,
    overfitting,
    overfitting_by_noise,
)

# C4.5 asks more of a split than chance gives, pruned or not, and so hides what noise does.
_WITH_NOISE: Final = "cart"
_PART: Final = 0.3  # of the rows, where no way of judging is given


def run(
    data: str,
    source: Source,
    learning: LearningTree,
    judging: Judging,
    output: Output,
    *,
    noise: Sequence[float] | None,
    place: Path | None,
) -> None:
    """Print the curve, or with several shares of noise one line for each; draw them."""
    check_chart(place, data)
    if judging.test_part is None and not resampling_given(judging):
        judging = replace(judging, test_part=_PART)
    check_judging(judging)
    if learning.learner is not None and learning.learner.lower() not in trees():
        raise SettingError(
            f"overfitting is about the size of trees, but {learning.learner} learns none. "
            f"Learners of trees: {', '.join(trees())}."
        )
    usual = noise is not None and learning.learner is None
    if usual:
        learning = replace(learning, learner=_WITH_NOISE)
    recipe_for = recipe_maker(learning)
    table = table_to_divide(data, source, judging, output)
    recipe = recipe_for(table)
    notes = note_on_default(learning, recipe)
    if usual:
        made = type(recipe.learner).__name__
        notes = [f"{made} grows the trees, in full, noise and all. For another learner: --learner NAME."]
    note(notes, output)
    learner: Any = recipe.learner
    how: dict[str, Any] = {
        "design": design_of(judging, learning.seed, len(table)),
        "seed": learning.seed or 0,
    }
    curve: Overfitting | OverfittingByNoise
    with working("Learning"):
        if noise is not None and len(noise) > 1:
            curve = overfitting_by_noise(Unpruned(learner), table, noise=noise, **how)
        else:
            curve = overfitting(Unpruned(learner), table, noise=noise[0] if noise else 0.0, **how)
    if place is not None:
        _draw(curve, place, output)
    grown = f"{type(learner).__name__}, grown in full: nothing is pruned but to get the smaller trees."
    answer(
        output,
        text=lambda: "\n".join([str(curve), *_concluded(curve), grown]),
        data=lambda: {"learner": type(learner).__name__, "pruned": False, **curve.to_json()},
        notes=[*table.notes, *notes],
        saved=place,
    )


def _concluded(curve: Overfitting | OverfittingByNoise) -> list[str]:
    return [curve.conclusion] if isinstance(curve, OverfittingByNoise) and curve.conclusion else []


def _draw(curve: Overfitting | OverfittingByNoise, place: Path, output: Output) -> None:
    from clearwood.draw import charts  # late: not all draw

    if isinstance(curve, OverfittingByNoise):
        save_chart(charts.overfitting_by_noise(curve), place, output)
    else:
        save_chart(charts.overfitting(curve), place, output)
