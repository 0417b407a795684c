"""`clearwood distil`: a tree or rules that imitate a saved model, how well they do, and where not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from clearwood.catalogue import learner_called
from clearwood.cli.evaluation_options import TestPart
from clearwood.cli.learning import Learning, note_on_default, recipe_maker
from clearwood.cli.options import LEARNING, Data, ModelPath, Output, Save, flag, option, options
from clearwood.cli.output import answer, check_place, next_with_changed, note, working
from clearwood.cli.settings import literal_choice
from clearwood.cli.sources import Reading, load_model, rows_for, save_model
from clearwood.errors import SettingError

if TYPE_CHECKING:
    from clearwood.study.distilling.distilling import By


@options()
class DistilOptions:
    """What `clearwood distil` takes."""

    model: ModelPath
    data: Data
    reading: Reading
    learning: Learning
    made: float = option(
        "N", "Rows made for each row of the table, by shuffling some of its columns.", LEARNING, default=1.0
    )
    by: str = option(
        "WORD",
        "Learn from the classes that the model predicts, or from its probabilities.",
        LEARNING,
        default="answers",
        name="--imitate",
    )
    no_prune: bool = flag("Keep the whole tree, not the smallest that imitates as well.", LEARNING)
    test_part: TestPart = 0.3
    save: Save = None
    output: Output


def run(asked: DistilOptions) -> None:
    """Distil the model on the rows of a table."""
    from clearwood.cli.drawing import drawn_to_fit
    from clearwood.study.distilling.distilling import distil

    prune = not asked.no_prune
    way: By = literal_choice("way", asked.by, Literal["answers", "shares"])
    recipe_for = recipe_maker(asked.learning)
    if (
        not prune
        and asked.learning.learner is not None
        and learner_called(asked.learning.learner).makes != "tree"
    ):
        raise SettingError(
            f"--no-prune is for trees, but {asked.learning.learner} learns none. Leave it out."
        )
    check_place(asked.save, asked.data, asked.model)
    loaded = load_model(asked.model)
    table = rows_for(loaded, asked.data, asked.reading, asked.output)
    part = 0.3 if asked.test_part is None else asked.test_part
    if len(table) < 2:
        raise SettingError("distil needs at least two rows: one to learn from and one to compare on.")
    if not 0 < round(part * len(table)) < len(table):
        raise SettingError(
            f"--test-part must leave rows on both sides: {part!r} of {len(table)} rows does not. Try 0.3."
        )
    recipe = recipe_for(table)
    with working("Distilling"):
        done = distil(
            loaded,
            table,
            recipe.learner,
            made=asked.made,
            by=way,
            prune=prune,
            test_part=part,
            seed=recipe.seed,
        )
    notes = note_on_default(asked.learning, recipe)
    note(notes, asked.output)
    save_model(done.model, asked.save)

    def text() -> str:
        return "\n".join([*([] if asked.output.quiet else [*drawn_to_fit(done.model), ""]), str(done)])

    def data_of() -> dict[str, Any]:
        return done.to_json()

    answer(
        asked.output,
        text=text,
        data=data_of,
        notes=[*table.notes, *notes],
        saved=asked.save,
        then=next_with_changed(asked.save, asked.model),
    )
