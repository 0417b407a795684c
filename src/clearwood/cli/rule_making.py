"""What `rules` does: grow or load a tree, read it as rules, simplify and judge them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from clearwood.cli.fitting import Judging, need_target
from clearwood.cli.options import given_in
from clearwood.cli.reading import coded_for, load_model
from clearwood.cli.recipe import recipe_of
from clearwood.cli.registry import LEARNERS, TREES, find
from clearwood.errors import SettingError, no_such
from clearwood.learners.fingerprint import fingerprint
from clearwood.learners.learner import Learner
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying import RulesLedger, simplify_rules
from clearwood.learners.rules.simplifying.settings import HowTested
from clearwood.learners.rules.tree_rules import columns_with_empty_cells
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.scoring.evaluation import Evaluation, evaluate
from clearwood.study.rule_scores import RuleScores, rule_scores
from clearwood.table import read_table
from clearwood.table.attributes import Numeric
from clearwood.table.folding import hold_out
from clearwood.table.sources import read_raw
from clearwood.table.table import Table

_CHOICES: Final = {"test": ("chi-square", "yates", "fisher"), "adjust": ("holm", "benjamini-hochberg")}


@dataclass(frozen=True, slots=True)
class Making:
    """Where the tree comes from, how its rules are simplified (None: not at all), and what judges them."""

    source: Learner[Any] | Tree
    tests: Mapping[str, Any] | None
    test_part: float | None
    seed: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A list of rules and how good its answers are."""

    rules: RuleList
    training: Evaluation
    held_out: Evaluation | None


@dataclass(frozen=True, slots=True)
class Made:
    """The tree's own rules, what simplifying made of them, and the scores of those that stand."""

    before: Judged
    after: Judged | None
    scores: RuleScores
    ledger: RulesLedger | None
    weighted: bool
    notes: tuple[str, ...]

    @property
    def rules(self) -> RuleList:
        return (self.after or self.before).rules


def tests_of(
    simplify: bool, given: Mapping[str, Any], *, keep_rules: bool, ledger: bool
) -> dict[str, Any] | None:
    """The settings of simplification, refused when wrong, or where nothing is to be simplified."""
    said = {name: value for name, value in given.items() if value is not None}
    if not simplify:
        flags = [name for name, on in (("keep-rules", keep_rules), ("ledger", ledger)) if on]
        for name in (*said, *flags):
            raise SettingError(f"--{name} is about simplifying: give --simplify too.")
        return None
    for name, choices in _CHOICES.items():
        if name in said and said[name] not in choices:
            raise SettingError(no_such(f"{name} called", said[name], choices, plural="choices"))
    plain: dict[str, Any] = {
        name.replace("-", "_"): value.replace("-", "_") if isinstance(value, str) else value
        for name, value in said.items()
    }
    HowTested(**plain)
    return {**plain, "drop_rules": not keep_rules}


def source_of(
    tree: str | None,
    settings: Sequence[str] | None,
    model: Path | None,
    seed: int | None,
    columns: Mapping[str, Any],
) -> Learner[Any] | Tree:
    """The learner of the tree or, from a file, the tree itself, which knows its columns."""
    if model is None:
        name = (tree or "c45").lower()
        if name in LEARNERS and name not in TREES:
            raise SettingError(
                f"{name} makes no tree to read rules from. Its own: clearwood fit DATA --learner {name}."
            )
        find("tree called", name, {each: LEARNERS[each] for each in TREES}, plural="trees")
        return recipe_of(name, settings, (), seed).learner
    if tree is not None or settings:
        raise SettingError("Give --model, or --from with its --set, not both.")
    for option in given_in(columns):
        raise SettingError(f"{model} says what its columns are: leave --{_option(option)} out.")
    found = load_model(model)
    if not isinstance(found, Tree):
        raise SettingError(f"{model} holds no tree but {found!r}; rules are read from trees.")
    return found


def rows_for(
    source: Learner[Any] | Tree,
    data: str,
    query: str | None,
    columns: Mapping[str, Any],
    written: Mapping[str, Any],
) -> Table:
    """The table, coded as the tree codes it where there is one."""
    if isinstance(source, Tree):
        return coded_for(source, read_raw(data, query=query, **written))
    table = read_table(data, query=query, **columns, **written)
    need_target(table)
    return table


def make_rules(making: Making, table: Table) -> Made:
    """The rules of the tree, before and after simplifying, judged on their own rows and on others."""
    target = table.schema.target
    if making.tests is not None and isinstance(target, Numeric):
        raise SettingError(
            f"Conditions are tested against a class, and '{target.name}' is a number: leave --simplify out."
        )
    Judging(making.test_part).check(len(table))
    training, held = table, None
    if making.test_part is not None:
        learned, back = hold_out(table, making.test_part, making.seed)
        training, held = table.take(learned), table.take(back)
    notes = []
    tree = making.source
    if not isinstance(tree, Tree):
        tree = tree.learn(training)
    elif held is not None and fingerprint(table) == tree.origin.fingerprint:
        notes.append("The tree was learned from all these rows: those held out are new to the tests alone.")
    before = _judged(rules_of(tree, may_be_empty=columns_with_empty_cells(training)), training, held)
    if making.tests is None:
        scores = rule_scores(before.rules, training, held)
        return Made(before, None, scores, None, table.weights is not None, tuple(notes))
    done = simplify_rules(before.rules, training, **making.tests)
    after = _judged(done.rules, training, held)
    scores = rule_scores(done.rules, training, held)
    return Made(before, after, scores, done.ledger, table.weights is not None, tuple(notes))


def _judged(rules: RuleList, training: Table, held: Table | None) -> Judged:
    return Judged(rules, evaluate(rules, training), None if held is None else evaluate(rules, held))


def _option(argument: str) -> str:
    return {"kinds": "kind", "ordered": "order", "weights_are": "weights-are"}.get(argument, argument)
