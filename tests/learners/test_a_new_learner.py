"""A new tree learner is one class: what it does not say itself, the common steps do for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import pytest

from clearwood.catalogue import LEARNERS, learner_called, learner_of, trees
from clearwood.cli.learning import named_recipe
from clearwood.cli.settings import learner_in
from clearwood.deriving.deriving import derive, given_of
from clearwood.errors import LearningError, SettingError
from clearwood.learners.entry import LearnerEntry
from clearwood.learners.learner import OwnPruning, SplitChooser, Steering
from clearwood.learners.trees.counted import TreeTask
from clearwood.learners.trees.growing import prepare
from clearwood.learners.trees.id3 import ID3
from clearwood.learners.trees.pruning.chi_square import prune_chi_square
from clearwood.learners.trees.pruning.own import prune_grown
from clearwood.models.kinds.tree.tree import Tree
from clearwood.predicting import predict
from clearwood.registry import Costs, Letter, Priors
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.trees import tennis_table


@dataclass(frozen=True, kw_only=True)
class OneQuestion:
    """ID3 that stops after one question."""

    score_names: ClassVar[tuple[str, ...]] = ("gained",)
    learns_numbers: ClassVar[bool] = False
    sums_numbers: ClassVar[bool] = False
    steered_by: ClassVar[Steering] = ()

    max_depth: int | None = 1
    min_rows: float = 2
    priors: Priors = None
    costs: Costs = None

    def learn(self, table: Table) -> Tree:
        return self.grow(table)

    def grow(self, table: Table) -> Tree:
        ready = prepare(self, table)
        assert len(ready.factors) == 0
        return ready.tree(ID3(max_depth=1).grow(ready.rows).nodes)

    def prunings(self) -> tuple[OwnPruning, ...]:
        return ()

    def measure_for(self, schema: Schema) -> str:  # noqa: ARG002 (the same for every target)
        return "entropy"

    def split_chooser(self, task: TreeTask) -> SplitChooser:
        raise NotImplementedError


def test_its_tree_answers_prints_and_says_where_it_came_from() -> None:
    tree = OneQuestion(priors="equal").learn(tennis_table())
    assert (tree.depth, tree.score_names, tree.origin.learner) == (1, ("gained",), "OneQuestion")
    assert tree.origin.settings["max_depth"] == 1
    assert len(tree.decision.factors) == 2
    assert len(predict(tree, tennis_table())) == 14
    assert "Outlook" in str(tree)


@dataclass(frozen=True, kw_only=True)
class ID3ByChance(ID3):
    """ID3 that cuts what chance explains, by a pruner of the list."""

    by: str = "chi-square"

    def learn(self, table: Table) -> Tree:
        return prune_grown(self.grow(table), self.prunings(), table, self.grow)

    def prunings(self) -> tuple[OwnPruning, ...]:
        return OwnPruning(self.by), OwnPruning(self.by, {"alpha": 0.001})


def test_its_own_pruning_may_be_any_pruner_of_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        LEARNERS, "by-chance", LearnerEntry(ID3ByChance, "…", "tree", steps=LEARNERS["id3"].steps)
    )
    table = tennis_table()
    tree = ID3ByChance().learn(table)
    assert tree.size < ID3().learn(table).size
    assert tree.size == prune_chi_square(ID3().learn(table), alpha=0.001).tree.size
    assert tree.origin.after == ()
    assert "Pruning" in derive(tree, table)[-1].chapter
    with pytest.raises(SettingError, match="No pruner 'by-luck'"):
        ID3ByChance(by="by-luck").learn(table)


def test_it_is_kept_from_numbers_it_does_not_learn() -> None:
    table = Table(Schema((Numeric("x"),), Numeric("y")), {"x": np.arange(3.0), "y": np.arange(3.0)})
    with pytest.raises(LearningError, match="OneQuestion learns classes, and 'y' is a number"):
        OneQuestion().learn(table)


def test_one_line_makes_it_known_wherever_the_catalogue_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEARNERS, "one-question", LearnerEntry(OneQuestion, "ID3 that asks once.", "tree"))
    tree = learner_called("one-question").make(min_rows=3).learn(tennis_table())
    assert learner_of(tree.origin) == OneQuestion(min_rows=3)
    assert "one-question" in trees()
    assert learner_in("one-question:min_rows=3") == OneQuestion(min_rows=3)
    assert named_recipe("one-question", ["min_rows=3"], (), None).learn(tennis_table()) == tree


def test_its_derivation_is_refused_until_its_entry_names_the_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = OneQuestion().learn(tennis_table())
    with pytest.raises(SettingError, match="no learner that can be run again"):
        derive(tree, tennis_table())
    monkeypatch.setitem(LEARNERS, "one-question", LearnerEntry(OneQuestion, "ID3 that asks once.", "tree"))
    with pytest.raises(SettingError, match="Trees of OneQuestion have no steps to derive"):
        derive(tree, tennis_table())


def test_its_settings_with_a_letter_are_given_on_its_worksheet(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Lettered(OneQuestion):
        """OneQuestion with a setting that its formulas use."""

        kappa: Annotated[float, Letter("κ"), "How much it minds."] = 0.5
        unused: Annotated[int, "No formula has it."] = 3

    monkeypatch.setitem(LEARNERS, "lettered", LearnerEntry(Lettered, "OneQuestion, with κ.", "tree"))
    first, *rest = given_of(Lettered(kappa=0.25).learn(tennis_table()))
    assert first == "κ = 0.25"
    assert [each.split(" = ")[0] for each in rest] == ["z"]
