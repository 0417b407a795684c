"""What `distil` does: an imitation of a saved model, shown, compared with it and saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from clearwood.catalogue import learner_called
from clearwood.cli.drawing import drawn_to_fit
from clearwood.cli.learning import literal_choice, note_on_default, recipe_maker
from clearwood.cli.learning_options import Learning
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.source_options import Reading
from clearwood.cli.sources import load_model, rows_for
from clearwood.cli.writing import check_place
from clearwood.errors import SettingError
from clearwood.models.files import save as save_model
from clearwood.study.distilling.distilling import By, distil


def run(
    model: Path,
    data: str,
    reading: Reading,
    learning: Learning,
    output: Output,
    *,
    made: float,
    by: str,
    prune: bool,
    test_part: float | None,
    save: Path | None,
) -> None:
    """Distil the model on the rows of a table."""
    way: By = literal_choice("way", by, Literal["answers", "shares"])
    recipe_for = recipe_maker(learning)
    if not prune and learning.learner is not None and learner_called(learning.learner).makes != "tree":
        raise SettingError(f"--no-prune is for trees, but {learning.learner} learns none. Leave it out.")
    check_place(save, data, model)
    loaded = load_model(model)
    table = rows_for(loaded, data, reading, output)
    part = 0.3 if test_part is None else test_part
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
            made=made,
            by=way,
            prune=prune,
            test_part=part,
            seed=recipe.seed,
        )
    notes = note_on_default(learning, recipe)
    note(notes, output)
    if save is not None:
        save_model(done.model, save)

    def text() -> str:
        return "\n".join([*([] if output.quiet else [*drawn_to_fit(done.model), ""]), str(done)])

    def data_of() -> dict[str, Any]:
        return done.to_json()

    answer(output, text=text, data=data_of, notes=[*table.notes, *notes], saved=save)
