"""What `stable-rules` does: the rules that many trees of a saved ensemble share."""

from __future__ import annotations

from pathlib import Path

from clearwood.cli.options import Output
from clearwood.cli.output import answer
from clearwood.cli.progress import working
from clearwood.cli.source_options import Reading
from clearwood.cli.sources import load_model, rows_for
from clearwood.explain.recurring_rules import stable_rules
from clearwood.models.ensemble import Ensemble
from clearwood.models.kept import check_kind


def run(
    model: Path,
    data: str,
    reading: Reading,
    output: Output,
    *,
    depth: int,
    cuts: int,
    least: float,
    most: int,
) -> None:
    """Print the rules, the most frequent first."""
    loaded = load_model(model)
    check_kind("stable-rules", loaded, Ensemble)
    assert isinstance(loaded, Ensemble)
    table = rows_for(loaded, data, reading, output)
    with working("Reading the trees"):
        found = stable_rules(loaded, table, depth=depth, cuts=cuts, least=least, most=most)
    answer(output, text=lambda: str(found), data=found.to_json, notes=table.notes)
