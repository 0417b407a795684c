"""A tree pruned after learning: its report tells how what is left grew, and why the rest was cut."""

from __future__ import annotations

import pytest

import clearwood as cw
from clearwood import catalogue
from clearwood.cli.learning import named_recipe, pruning_of
from clearwood.models.lineage import Pruned
from clearwood.reporting.making import derivation_part
from clearwood.study.study import study_of

PRUNERS = (
    *((name,) for name in catalogue.PRUNERS if name != "cost-complexity"),
    ("cost-complexity:alpha=0.05",),
    ("siblings", "chi-square:alpha=0.4"),
    ("reduced-error", "mdl"),
)


@pytest.mark.parametrize("prunings", PRUNERS, ids=" then ".join)
def test_every_pruner_tells_its_numbers_after_the_growing(prunings: tuple[str, ...]) -> None:
    table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    recipe = named_recipe("id3", None, [pruning_of(each) for each in prunings], 0)
    study = study_of(recipe, table)
    text, _ = derivation_part(study)
    assert text is not None
    assert isinstance(study.model, cw.Tree)
    chapters = list(dict.fromkeys(step.chapter for step in text))
    names = [done.pruner for done in study.model.origin.after if isinstance(done, Pruned)]
    looked = [name for name, one in zip(names, study.rounds, strict=True) if one.before.depth]
    assert chapters[1:] == [f"Pruned afterwards: {name}" for name in looked]
    grown = [step.node for step in text if step.chapter == chapters[0]]
    assert sorted(node for node in grown if node is not None) == list(range(study.model.size))
    pruned = [step for step in text if step.chapter != chapters[0]]
    assert all(step.figures for step in pruned)
    assert all(step.node is None or step.node < study.model.size for step in pruned)
