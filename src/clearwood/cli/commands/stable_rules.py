"""`clearwood stable-rules`: the short rules that recur in many trees of an ensemble."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.app import option
from clearwood.cli.options import Data, ModelPath, Output
from clearwood.cli.output import answer
from clearwood.cli.sources import Reading
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StableRulesOptions:
    """What `clearwood stable-rules` takes."""

    model: ModelPath
    data: Data
    depth: Annotated[int, option("--conditions", "N", "Most conditions of a rule.", min=1)] = 2
    cuts: Annotated[
        int,
        option("--parts", "N", "Move thresholds to the nearest of N quantiles.", min=2),
    ] = 10
    least: Annotated[
        float, option("--least", "SHARE", "Minimum fraction of the trees that contain a rule.")
    ] = 0.05
    most: Annotated[int, option("--most", "N", "Most rules that are listed.", min=1)] = 20
    reading: Reading
    output: Output


def run(asked: StableRulesOptions) -> None:
    """Print the rules, the most frequent first."""
    from clearwood.cli.progress import working
    from clearwood.cli.sources import load_model, rows_for
    from clearwood.explaining.recurring_rules import stable_rules
    from clearwood.models.kept import check_kind
    from clearwood.models.kinds.ensemble.ensemble import Ensemble

    loaded = load_model(asked.model)
    check_kind("stable-rules", loaded, Ensemble)
    assert isinstance(loaded, Ensemble)
    table = rows_for(loaded, asked.data, asked.reading, asked.output)
    with working("Reading the trees"):
        found = stable_rules(
            loaded, table, depth=asked.depth, cuts=asked.cuts, least=asked.least, most=asked.most
        )
    answer(asked.output, text=lambda: str(found), data=found.to_json, notes=table.notes)
