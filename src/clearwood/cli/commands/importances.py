"""`clearwood importances`: how much worse a model answers if one column is shuffled."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from clearwood.cli.options import JUDGING, Data, ModelPath, Output, SchemaOfRules, flag, option, options
from clearwood.cli.output import answer, note
from clearwood.cli.sources import Reading
from clearwood.errors import SettingError, no_such

if TYPE_CHECKING:
    from clearwood.explaining.permutation import Loss
    from clearwood.models.model import Model
    from clearwood.table.table import Table


@options()
class ImportancesOptions:
    """What `clearwood importances` takes."""

    model: ModelPath
    data: Data
    loss: str = option(
        "NAME",
        "What rises: error, log-loss, squared-error, absolute-error, quantile-loss; auto: what fits.",
        default="auto",
    )
    shuffles: int = option("N", "How often each column is shuffled.", default=5, min=1)
    out_of_bag: bool = flag(
        "Of a forest: on the rows that each tree did not draw; DATA are those it was learned from."
    )
    seed: int = option("N", "The seed of the shuffles.", JUDGING, default=0, min=0)
    reading: Reading
    schema: SchemaOfRules = None
    output: Output


def run(asked: ImportancesOptions) -> None:
    """Print the columns, the most important first."""
    from clearwood.cli.progress import working
    from clearwood.cli.sources import load_model, rows_for
    from clearwood.explaining.forest_importances import importances
    from clearwood.explaining.permutation import Loss, permutation_importance
    from clearwood.models.kinds.ensemble.ensemble import Ensemble

    losses: dict[str, Loss] = {each.replace(" ", "-"): each for each in get_args(Loss)}
    if asked.loss not in losses:
        raise SettingError(no_such("loss", asked.loss, losses, plural="losses"))
    if asked.out_of_bag and (asked.loss != "auto" or asked.shuffles != 5):
        raise SettingError("--out-of-bag has a loss and shuffles of its own: leave --loss, --shuffles out.")
    loaded = load_model(asked.model, asked.schema)
    if asked.out_of_bag and not isinstance(loaded, Ensemble):
        raise SettingError("--out-of-bag is for forests: another model's members drew no rows. Leave it out.")
    table = rows_for(loaded, asked.data, asked.reading, asked.output)
    if isinstance(loaded, Ensemble) and asked.out_of_bag:
        with working("Shuffling"):
            by_tree = importances(loaded, table, seed=asked.seed)
        answer(asked.output, text=lambda: str(by_tree), data=by_tree.to_json, notes=table.notes)
        return
    with working("Shuffling"):
        worth = permutation_importance(
            loaded, table, loss=losses[asked.loss], shuffles=asked.shuffles, seed=asked.seed
        )
    notes = _on_rows(loaded, table)
    note(notes, asked.output)
    answer(asked.output, text=lambda: str(worth), data=worth.to_json, notes=[*table.notes, *notes])


def _on_rows(model: Model, table: Table) -> list[str]:
    from clearwood.learners.training import fingerprint
    from clearwood.study.known_rows import among_words, has_seen, learned_among

    among = learned_among(model, table)
    if fingerprint(table) != model.origin.fingerprint and not has_seen(model, table) and not among:
        return []
    held = " Of a forest, --out-of-bag takes the rows that each tree did not draw." * _is_forest(model)
    these = "These are the rows that the model was learned from"
    known = among_words(among, len(table)) if among else these
    return [f"{known}: what it learned by heart counts here as well.{held}"]


def _is_forest(model: Model) -> bool:
    return model.origin.learner == "Forest"
