"""`clearwood importances`: how much worse a model answers if one column is shuffled."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from clearwood.cli.options import JUDGING, Data, ModelPath, Output, SchemaOfRules, flag, option, options
from clearwood.cli.output import answer, note, working
from clearwood.cli.sources import Reading, load_model, rows_for
from clearwood.errors import SettingError, check_known

if TYPE_CHECKING:
    from clearwood.explaining.permutation import Loss


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
    from clearwood.explaining.forest_importances import importances
    from clearwood.explaining.permutation import Loss, permutation_importance
    from clearwood.models.kinds.ensemble.ensemble import Ensemble
    from clearwood.study.known_rows import learned_from_words

    losses: dict[str, Loss] = {each.replace(" ", "-"): each for each in get_args(Loss)}
    check_known("loss", asked.loss, losses, plural="losses")
    if asked.out_of_bag and (asked.loss != "auto" or asked.shuffles != 5):
        raise SettingError("--out-of-bag has a loss and shuffles of its own: leave --loss, --shuffles out.")
    loaded = load_model(asked.model, asked.schema)
    if asked.out_of_bag and not isinstance(loaded, Ensemble):
        raise SettingError("--out-of-bag is for forests: another model's members drew no rows. Leave it out.")
    table = rows_for(loaded, asked.data, asked.reading, asked.output)
    if isinstance(loaded, Ensemble) and asked.out_of_bag:
        with working("Shuffling"):
            by_tree = importances(loaded, table, seed=asked.seed)
        answer(asked.output, by_tree, notes=table.notes)
        return
    with working("Shuffling"):
        worth = permutation_importance(
            loaded, table, loss=losses[asked.loss], shuffles=asked.shuffles, seed=asked.seed
        )
    held = " Of a forest, --out-of-bag takes the rows that each tree did not draw."
    notes = [
        f"{known}: what it learned by heart counts here as well.{held * (loaded.origin.learner == 'Forest')}"
        for known in [learned_from_words(loaded, table)]
        if known
    ]
    note(notes, asked.output)
    answer(asked.output, worth, notes=[*table.notes, *notes])
