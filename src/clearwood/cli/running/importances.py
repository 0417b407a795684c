"""What `importances` does: shuffle each column of a model's rows, and say how much worse it answers."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.source_options import Reading
from clearwood.cli.sources import load_model, rows_for
from clearwood.errors import SettingError, no_such
from clearwood.explain.forest_importances import importances
from clearwood.explain.permutation import Loss, permutation_importance
from clearwood.learners.fingerprint import fingerprint
from clearwood.models.ensemble import Ensemble
from clearwood.models.model import Model
from clearwood.study.row_marks import among_words, has_seen, learned_among
from clearwood.table.table import Table


def run(
    model: Path,
    data: str,
    reading: Reading,
    output: Output,
    *,
    loss: str,
    shuffles: int,
    out_of_bag: bool,
    seed: int,
    schema: Path | None,
) -> None:
    """Print the columns, the most important first."""
    losses: dict[str, Loss] = {each.replace(" ", "-"): each for each in get_args(Loss)}
    if loss not in losses:
        raise SettingError(no_such("loss", loss, losses, plural="losses"))
    if out_of_bag and (loss != "auto" or shuffles != 5):
        raise SettingError("--out-of-bag has a loss and shuffles of its own: leave --loss, --shuffles out.")
    loaded = load_model(model, schema)
    if out_of_bag and not isinstance(loaded, Ensemble):
        raise SettingError("--out-of-bag is for forests: another model's members drew no rows. Leave it out.")
    table = rows_for(loaded, data, reading, output)
    if isinstance(loaded, Ensemble) and out_of_bag:
        with working("Shuffling"):
            by_tree = importances(loaded, table, seed=seed)
        answer(output, text=lambda: str(by_tree), data=by_tree.to_json, notes=table.notes)
        return
    with working("Shuffling"):
        worth = permutation_importance(loaded, table, loss=losses[loss], shuffles=shuffles, seed=seed)
    notes = _on_rows(loaded, table)
    note(notes, output)
    answer(output, text=lambda: str(worth), data=worth.to_json, notes=[*table.notes, *notes])


def _on_rows(model: Model, table: Table) -> list[str]:
    among = learned_among(model, table)
    if fingerprint(table) != model.origin.fingerprint and not has_seen(model, table) and not among:
        return []
    held = " Of a forest, --out-of-bag takes the rows that each tree did not draw." * _is_forest(model)
    these = "These are the rows that the model was learned from"
    known = among_words(among, len(table)) if among else these
    return [f"{known}: what it learned by heart counts here as well.{held}"]


def _is_forest(model: Model) -> bool:
    return model.origin.learner == "Forest"
