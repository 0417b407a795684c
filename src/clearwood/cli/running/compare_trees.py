"""What `derive --compare` does: one table through several tree learners, and where they part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clearwood.cli.commands.derive import DerivationLayout, ModelOrLearners
from clearwood.cli.grouped import refuse_given
from clearwood.cli.learning import learners_by_text
from clearwood.cli.options import Output
from clearwood.cli.output import answer
from clearwood.cli.progress import working
from clearwood.cli.source_options import Source
from clearwood.cli.sources import table_to_learn
from clearwood.derive.tree_comparison import compare_trees
from clearwood.errors import SettingError


def run_comparison(
    data: str | None,
    source: Source,
    chosen: ModelOrLearners,
    layout: DerivationLayout,
    output: Output,
    others: Mapping[str, Any],
) -> None:
    """The first place where the learners part, and the numbers that decided."""
    because = "is about one derivation, but --compare puts several learners side by side. Leave it out."
    refuse_given(because, layout)
    for name, value in others.items():
        if value:
            raise SettingError(f"{name} {because}")
    if chosen.model is not None:
        raise SettingError("--compare grows each tree from the table, but --model gives one. Leave it out.")
    for name, given in (("--set", chosen.settings), ("--seed", chosen.seed)):
        if given not in (None, []):
            raise SettingError(
                f"{name} does not say which of the learners it is for. Give settings with the learner: "
                "-l cart:alpha=0.05."
            )
    if data is None:
        raise SettingError("--compare needs the table that the learners learn from: clearwood derive DATA.")
    named: Any = learners_by_text(chosen.learners) if chosen.learners else None
    table = table_to_learn(data, source, output)
    with working("Learning"):
        comparison = compare_trees(table, named)
    answer(
        output,
        text=lambda: str(comparison).rstrip("\n"),
        data=comparison.to_json,
        notes=[*table.notes, *comparison.notes],
    )
