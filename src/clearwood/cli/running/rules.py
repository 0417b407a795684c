"""What `rules` does: grow or load a tree, read it as rules, simplify and judge them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

from clearwood.catalogue import LEARNERS, tree_called, trees
from clearwood.cli.commands.rules import Simplifying
from clearwood.cli.dividing import design_of
from clearwood.cli.grouped import given_in
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning import note_on_default, recipe_maker, refuse_learning, seed_in_vain
from clearwood.cli.learning_options import Learning, ModelOrLearner
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.source_options import Source
from clearwood.cli.sources import holds_model, load_kind, load_model, rows_for, table_to_learn
from clearwood.cli.writing import check_place
from clearwood.errors import SettingError, no_such
from clearwood.learners.fingerprint import fingerprint
from clearwood.learners.learner import Learner
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying import RulesLedger, simplify_rules
from clearwood.learners.rules.simplifying.settings import HowTested
from clearwood.learners.rules.tree_rules import columns_with_empty_cells
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.registry import has_effect, settings_of
from clearwood.scoring.evaluation import Evaluation, evaluate
from clearwood.study.designs import HoldOut
from clearwood.study.recipe import Recipe
from clearwood.study.row_marks import has_seen
from clearwood.study.rule_scores import RuleScores, rule_scores
from clearwood.table.attributes import Numeric
from clearwood.table.folding import hold_out
from clearwood.table.table import Table


def run(
    data: str,
    source: Source,
    chosen: ModelOrLearner,
    tests: Simplifying,
    output: Output,
    *,
    simplify: bool,
    test_part: float | None,
    save: Path | None,
) -> None:
    """The rules of a tree, with their scores, simplified if asked."""
    from clearwood.cli.rule_files import save_rules
    from clearwood.cli.running.rule_text import made_to_json, made_to_text

    how = _settings_of(tests, simplify)
    check_place(save, data, chosen.model)
    if chosen.model is None and holds_model(data):
        _tree_in(Path(data), "DATA")
        raise SettingError(
            f"{data} holds a model, not rows. Give it as the model, and rows to score its rules on: "
            f"clearwood rules DATA --model {quote(data)}."
        )
    grown: Learner[Any] | Tree
    notes: list[str] = []
    if chosen.model is None:
        recipe_for = _recipe_maker(chosen.learning)
        table = table_to_learn(data, source, output)
        recipe = recipe_for(table)
        grown, notes = recipe.learner, note_on_default(chosen.learning, recipe)
    else:
        refuse_learning(replace(chosen, learning=replace(chosen.learning, seed=None)), source.columns)
        grown = _tree_in(chosen.model, data)
        table = rows_for(grown, data, source.reading, output)
    design = design_of(Judging(test_part=test_part), chosen.learning.seed, len(table))
    assert design is None or isinstance(design, HoldOut)
    drawn = design is not None or (hasattr(grown, "seed") and has_effect(grown, "seed"))
    notes += seed_in_vain(chosen.learning.seed, drawn=drawn)
    with working("Making rules"):
        made = _make_rules(grown, how, design, table)
    notes += made.notes
    note(notes, output)
    if save is not None:
        save_rules(made.rules, save)
    answer(
        output,
        text=lambda: made_to_text(made, with_rules=not output.quiet, with_ledger=tests.ledger),
        data=lambda: made_to_json(made, with_ledger=tests.ledger),
        notes=[*table.notes, *notes],
        saved=save,
    )


def _tree_in(place: Path, data: str) -> Tree:
    """The tree in a file; of another model, where its rules are."""
    from clearwood.cli.rule_files import way_to_rules

    listed = f"A list of rules is evaluated, with the rows of each, by clearwood edit {place} --train {data}."
    if holds_model(place) and not isinstance(model := load_model(place), RuleList):
        listed = way_to_rules(place, numeric=model.is_numeric)
    return load_kind(place, (Tree,), f", not a tree; rules are read from trees. {listed}")


@dataclass(frozen=True, slots=True)
class RulesAndScores:
    """A list of rules and how good its answers are."""

    rules: RuleList
    training: Evaluation
    held_out: Evaluation | None


@dataclass(frozen=True, slots=True)
class RulesMade:
    """The tree's own rules, what simplifying made of them, and the scores of those that stand."""

    before: RulesAndScores
    after: RulesAndScores | None
    scores: RuleScores
    ledger: RulesLedger | None
    weighted: bool
    notes: tuple[str, ...]

    @property
    def rules(self) -> RuleList:
        return (self.after or self.before).rules


def _settings_of(tests: Simplifying, simplify: bool) -> dict[str, Any] | None:
    """The settings of simplification, refused when wrong, or where nothing is to be simplified."""
    if not simplify:
        for option in given_in(tests):
            raise SettingError(f"{option} is for simplifying: add --simplify.")
        return None
    plain: dict[str, Any] = {}
    for name, setting in settings_of(HowTested).items():
        value = getattr(tests, name, None)
        if isinstance(value, str):
            words = {word.replace("_", "-"): word for word in setting.takes if isinstance(word, str)}
            if value not in words:
                raise SettingError(no_such(f"{setting.name} called", value, words, plural="choices"))
            value = words[value]
        if value is not None:
            plain[name] = value
    HowTested(**plain)
    return {**plain, "drop_rules": not tests.keep_rules}


def _recipe_maker(learning: Learning) -> Callable[[Table], Recipe]:
    """What grows the tree that is read as rules, once the table is there."""
    if learning.learner is not None:
        name = learning.learner.lower()
        if name in LEARNERS and name not in trees():
            raise SettingError(
                f"{name} makes no tree to read rules from. Its own: clearwood fit DATA --learner {name}."
            )
        tree_called(name)
    return recipe_maker(learning)


def _make_rules(
    source: Learner[Any] | Tree, how: Mapping[str, Any] | None, design: HoldOut | None, table: Table
) -> RulesMade:
    """The rules of the tree, before and after simplifying, judged on their own rows and on others."""
    target = table.schema.target
    if how is not None and isinstance(target, Numeric):
        raise SettingError(
            f"Conditions are tested against a class, and '{target.name}' is a number: leave --simplify out."
        )
    training, held = table, None
    if design is not None:
        learned, back = hold_out(table, design.part, design.seed)
        training, held = table.take(learned), table.take(back)
    notes = []
    tree = source
    if not isinstance(tree, Tree):
        tree = tree.learn(training)
    elif held is not None and (fingerprint(table) == tree.origin.fingerprint or has_seen(tree, table)):
        notes.append("The tree was learned from all these rows: the held-out rows are new only to the tests.")
    before = _judged(rules_of(tree, may_be_empty=columns_with_empty_cells(training)), training, held)
    if how is None:
        scores = rule_scores(before.rules, training, held)
        return RulesMade(before, None, scores, None, table.weights is not None, tuple(notes))
    done = simplify_rules(before.rules, training, **how)
    after = _judged(done.rules, training, held)
    scores = rule_scores(done.rules, training, held)
    return RulesMade(before, after, scores, done.ledger, table.weights is not None, tuple(notes))


def _judged(rules: RuleList, training: Table, held: Table | None) -> RulesAndScores:
    return RulesAndScores(rules, evaluate(rules, training), None if held is None else evaluate(rules, held))
