"""`clearwood overfitting`: the size of a tree and what it learns, with and without noise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from clearwood.catalogue import trees
from clearwood.cli.evaluation_options import Judging
from clearwood.cli.learning import LearningTree, note_on_default, recipe_maker
from clearwood.cli.options import ChartPath, Data, Output, option, options
from clearwood.cli.output import answer, check_chart, note, save_chart, working
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
    from clearwood.learners.learner import Unpruned
    from clearwood.study.behaviour.overfitting import overfitting, overfitting_by_noise

    learning, judging = asked.learning, asked.judging
    check_chart(asked.picture, asked.data)
    if judging.test_part is None and not judging.resampling:
        judging = replace(judging, test_part=_PART)
    judging.check()
    if learning.learner is not None and learning.learner.lower() not in trees():
        raise SettingError(
            f"overfitting is about the size of trees, but {learning.learner} learns none. "
            f"Learners of trees: {', '.join(trees())}."
        )
    usual = asked.noise is not None and learning.learner is None
    if usual:
        learning = replace(learning, learner=_WITH_NOISE)
    recipe_for = recipe_maker(learning)
    table = judging.table(asked.data, asked.source, asked.output)
    recipe = recipe_for(table)
    notes = note_on_default(learning, recipe)
    if usual:
        made = type(recipe.learner).__name__
        notes = [f"{made} grows the trees, in full, noise and all. For another learner: --learner NAME."]
    note(notes, asked.output)
    learner: Any = recipe.learner
    design, seed = judging.design(learning.seed, len(table)), learning.seed or 0
    noise = asked.noise or [0.0]
    curve: Overfitting | OverfittingByNoise
    with working("Learning"):
        if len(noise) > 1:
            curve = overfitting_by_noise(Unpruned(learner), table, noise=noise, design=design, seed=seed)
            chart, concluded = "overfitting_by_noise", curve.conclusion
        else:
            curve = overfitting(Unpruned(learner), table, noise=noise[0], design=design, seed=seed)
            chart, concluded = "overfitting", ""
    save_chart(chart, curve, place=asked.picture, output=asked.output)
    grown = f"{type(learner).__name__}, grown in full: nothing is pruned but to get the smaller trees."
    answer(
        asked.output,
        text=lambda: "\n".join(filter(None, [str(curve), concluded, grown])),
        data=lambda: {"learner": type(learner).__name__, "pruned": False, **curve.to_json()},
        notes=[*table.notes, *notes],
        saved=asked.picture,
    )
