"""What `compare` does: one table through several tree learners, and where they part."""

from __future__ import annotations

from typing import Any

from clearwood.cli.learning import named_recipe
from clearwood.cli.options import Output, Source
from clearwood.cli.output import answer
from clearwood.cli.progress import working
from clearwood.cli.sources import table_to_learn
from clearwood.derive.comparison import compare
from clearwood.errors import SettingError
from clearwood.learners.learner import TreeLearner


def run(data: str, source: Source, output: Output, learners: list[str] | None) -> None:
    """The first place where the learners part, and the numbers that decided."""
    named = _named(learners) if learners else None
    table = table_to_learn(data, source, output)
    with working("Learning"):
        comparison = compare(table, named)
    answer(
        output,
        text=lambda: str(comparison).rstrip("\n"),
        data=comparison.to_json,
        notes=[*table.notes, *comparison.notes],
    )


def _named(texts: list[str]) -> dict[str, TreeLearner]:
    """`cart:min_leaf=5` as a learner, under the name it was given by."""
    named: dict[str, TreeLearner] = {}
    for text in texts:
        if text in named:
            raise SettingError(f"--learner {text} is given twice. Change the settings of one.")
        name, _, settings = text.partition(":")
        made: Any = named_recipe(name, [each for each in settings.split(",") if each]).learner
        named[text] = made  # compare refuses what grows no tree
    return named
