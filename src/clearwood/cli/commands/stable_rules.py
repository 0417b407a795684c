"""`clearwood stable-rules`: the short rules that recur in many trees of an ensemble."""

from __future__ import annotations

from clearwood.cli.options import Data, ModelPath, Output, option, options
from clearwood.cli.output import answer, working
from clearwood.cli.sources import Reading, load_model, rows_for


@options()
class StableRulesOptions:
    """What `clearwood stable-rules` takes."""

    model: ModelPath
    data: Data
    depth: int = option("N", "Most conditions of a rule.", default=2, name="--conditions", min=1)
    cuts: int = option(
        "N", "Move thresholds to the nearest of N quantiles.", default=10, name="--parts", min=2
    )
    least: float = option("SHARE", "Minimum fraction of the trees that contain a rule.", default=0.05)
    most: int = option("N", "Most rules that are listed.", default=20, min=1)
    reading: Reading
    output: Output


def run(asked: StableRulesOptions) -> None:
    """Print the rules, the most frequent first."""
    from clearwood.explaining.recurring_rules import stable_rules
    from clearwood.models.kinds.ensemble.ensemble import Ensemble
    from clearwood.models.model import check_kind

    loaded = load_model(asked.model)
    check_kind("stable-rules", loaded, Ensemble)
    assert isinstance(loaded, Ensemble)
    table = rows_for(loaded, asked.data, asked.reading, asked.output)
    with working("Reading the trees"):
        found = stable_rules(
            loaded, table, depth=asked.depth, cuts=asked.cuts, least=asked.least, most=asked.most
        )
    answer(asked.output, found, notes=table.notes)
