"""`clearwood rules`: a tree read as rules, each with its scores, and simplified by tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from clearwood.catalogue import LEARNERS, tree_called, trees
from clearwood.cli.evaluation_options import Judging, TestPart
from clearwood.cli.learning import (
    ChosenTree,
    note_on_default,
    note_on_unused_seed,
    recipe_maker,
    refuse_learning,
)
from clearwood.cli.options import TESTS, Data, Output, SaveRules, flag, given_in, option, options
from clearwood.cli.output import answer, check_place, note, working
from clearwood.cli.sources import (
    TableOptions,
    holds_model,
    load_kind,
    load_model,
    model_as_json,
    rows_for,
    table_to_learn,
)
from clearwood.errors import SettingError, check_known
from clearwood.records import dataclass
from clearwood.registry import has_effect, settings_of
from clearwood.study.designs import HoldOut
from clearwood.words.numbers import many

if TYPE_CHECKING:
    from clearwood.learners.learner import Learner
    from clearwood.learners.rules.simplifying import RulesLedger
    from clearwood.models.kinds.rules.rule_list import RuleList
    from clearwood.models.kinds.tree.tree import Tree
    from clearwood.scoring.evaluation import Evaluation
    from clearwood.study.designs import HoldOut
    from clearwood.study.rule_scores import RuleScores
    from clearwood.table.table import Table


@options(TESTS)
class Simplifying:
    """How conditions are tested; all of it only with --simplify."""

    alpha: float | None = option("P", "Drop a condition if its p is above this (0.05).")
    tables: str | None = option(
        "marginal|conditional",
        "Test on all rows, or on those that satisfy the rule's other conditions (marginal).",
    )
    choose_by: str | None = option("largest|smallest", "The expected count that chooses the test (largest).")
    test: str | None = option(
        "NAME", "One test for all: chi-square, yates or fisher (by expected counts).", name="--use-test"
    )
    adjust: str | None = option(
        "NAME", "Adjust p for many tests: holm or benjamini-hochberg (by default neither)."
    )
    keep_rules: bool = flag("Shorten rules, but drop none of them.")
    ledger: bool = flag("Print every table, test and decision first.")


@options()
class RulesOptions:
    """What `clearwood rules` takes."""

    data: Data
    source: TableOptions
    chosen: ChosenTree
    tests: Simplifying
    simplify: bool = flag("Drop conditions that chance explains, then rules that no row needs.")
    test_part: TestPart = None
    save: SaveRules = None
    output: Output


def run(asked: RulesOptions) -> None:
    """The rules of a tree, with their scores, simplified if asked."""
    from clearwood.cli.rule_files import save_rules
    from clearwood.models.kinds.tree.tree import Tree
    from clearwood.study.known_rows import is_learned_from
    from clearwood.table.folding import hold_out

    how, seed = _settings_of(asked.tests, asked.simplify), asked.chosen.learning.seed
    check_place(asked.save, asked.data, asked.chosen.model)
    grown, table, notes = _tree_or_learner(asked)
    design = Judging(test_part=asked.test_part).design(seed, len(table))
    assert design is None or isinstance(design, HoldOut)
    drawn = design is not None or (hasattr(grown, "seed") and has_effect(grown, "seed"))
    notes += note_on_unused_seed(seed, drawn=drawn)
    if how is not None and table.schema.target is not None and not table.schema.classes:
        name = table.schema.target.name
        raise SettingError(
            f"Conditions are tested against a class, and '{name}' is a number: leave --simplify out."
        )
    with working("Making rules"):
        training, held = table, None
        if design is not None:
            learned, back = hold_out(table, design.part, design.seed)
            training, held = table.take(learned), table.take(back)
        if not isinstance(grown, Tree):
            grown = grown.learn(training)
        elif held is not None and is_learned_from(grown, table):
            notes.append(
                "The tree was learned from all these rows: the held-out rows are new only to the tests."
            )
        made = _made(grown, how, training, held)
    note(notes, asked.output)
    if asked.save is not None:
        save_rules(made.rules, asked.save)
    answer(
        asked.output,
        text=lambda: made.text(with_rules=not asked.output.quiet, with_ledger=asked.tests.ledger),
        data=lambda: made.to_json(with_ledger=asked.tests.ledger),
        notes=[*table.notes, *notes],
        saved=asked.save,
    )


def _tree_or_learner(asked: RulesOptions) -> tuple[Learner[Tree] | Tree, Table, list[str]]:
    """What grows the tree that is read as rules, or the tree itself; the table; notes on what was chosen."""
    chosen, learning = asked.chosen, asked.chosen.learning
    if chosen.model is not None:
        refuse_learning(replace(chosen, learning=replace(learning, seed=None)), asked.source.columns)
        tree = _tree_in(chosen.model, asked.data)
        return tree, rows_for(tree, asked.data, asked.source.reading, asked.output), []
    if holds_model(asked.data):
        _tree_in(Path(asked.data), "DATA")
        raise SettingError(
            f"{asked.data} holds a model, not rows. Give it as the model, and rows to score its rules on: "
            f"clearwood rules DATA --model {quote(asked.data)}."
        )
    if learning.learner is not None:
        name = learning.learner.lower()
        if name in LEARNERS and name not in trees():
            raise SettingError(
                f"{name} makes no tree to read rules from. Its own: clearwood fit DATA --learner {name}."
            )
        tree_called(name)
    recipe_for = recipe_maker(learning)
    table = table_to_learn(asked.data, asked.source, asked.output)
    recipe: Any = recipe_for(table)
    return recipe.learner, table, note_on_default(learning, recipe)


def _tree_in(place: Path, data: str) -> Tree:
    """The tree in a file; of another model, where its rules are."""
    from clearwood.cli.rule_files import way_to_rules
    from clearwood.models.kinds.rules.rule_list import RuleList
    from clearwood.models.kinds.tree.tree import Tree

    listed = f"A list of rules is evaluated, with the rows of each, by clearwood edit {place} --train {data}."
    if holds_model(place) and not isinstance(model := load_model(place), RuleList):
        listed = way_to_rules(place, numeric=model.is_numeric)
    return load_kind(place, (Tree,), f", not a tree; rules are read from trees. {listed}")


def _settings_of(tests: Simplifying, simplify: bool) -> dict[str, Any] | None:
    """The settings of simplification, refused when wrong, or where nothing is to be simplified."""
    from clearwood.learners.rules.simplifying.condition_tests import HowTested

    if not simplify:
        for option in given_in(tests):
            raise SettingError(f"{option} is for simplifying: add --simplify.")
        return None
    plain: dict[str, Any] = {}
    for name, setting in settings_of(HowTested).items():
        value = getattr(tests, name, None)
        if isinstance(value, str):
            words = {word.replace("_", "-"): word for word in setting.takes if isinstance(word, str)}
            check_known(f"{setting.name} called", value, words, plural="choices")
            value = words[value]
        if value is not None:
            plain[name] = value
    HowTested(**plain)
    return {**plain, "drop_rules": not tests.keep_rules}


@dataclass(frozen=True, slots=True)
class _Evaluated:
    """A list of rules and how good its answers are."""

    rules: RuleList
    training: Evaluation
    held_out: Evaluation | None

    def lines(self, name: str, weighted: bool) -> list[str]:
        from clearwood.study.known_rows import also_chosen, chosen_in_learning
        from clearwood.study.scores import phrase

        size = f"{many(len(self.rules), 'rule')}, {many(self.rules.conditions, 'condition')}"
        training = f"  training  {phrase(self.training, weighted=weighted)}"
        chose = also_chosen(chosen_in_learning(self.rules.origin))
        lines = [f"{name}{size}", "; ".join(filter(None, [training, chose]))]
        if self.held_out is not None:
            lines.append(f"  held out  {phrase(self.held_out, weighted=weighted)}")
        return lines

    def to_json(self) -> dict[str, Any]:
        from clearwood.study.known_rows import chosen_in_learning
        from clearwood.study.scores import evaluation_to_json

        return {
            "rules": len(self.rules),
            "conditions": self.rules.conditions,
            "training": evaluation_to_json(self.training),
            "training_chose": chosen_in_learning(self.rules.origin),
            "held_out": None if self.held_out is None else evaluation_to_json(self.held_out),
        }


@dataclass(frozen=True, slots=True)
class _Made:
    """The tree's own rules and what simplifying made of them, each with its scores; the tests that did it."""

    evaluated: tuple[_Evaluated, ...]
    scores: RuleScores
    ledger: RulesLedger | None
    weighted: bool

    @property
    def rules(self) -> RuleList:
        return self.evaluated[-1].rules

    def text(self, *, with_rules: bool, with_ledger: bool) -> str:
        parts = [str(self.ledger)] if with_ledger and self.ledger is not None else []
        if with_rules:
            parts.append("\n".join(_lines_of(self.rules, self.scores)))
        names = ("before: ", "after:  ") if len(self.evaluated) > 1 else ("",)
        by_name = zip(names, self.evaluated, strict=True)
        parts.append("\n".join(line for name, each in by_name for line in each.lines(name, self.weighted)))
        return "\n\n".join(parts)

    def to_json(self, *, with_ledger: bool) -> dict[str, Any]:
        from clearwood.models.kinds.rules.rule_text import write_rules

        before, *after = self.evaluated
        return {
            "from": before.rules.origin.learner,
            "rules": write_rules(self.rules).splitlines(),
            "before": before.to_json(),
            "after": after[0].to_json() if after else None,
            "scores": self.scores.to_json(),
            **({"ledger": self.ledger.to_json()} if with_ledger and self.ledger is not None else {}),
            "model": model_as_json(self.rules),
        }


def _made(tree: Tree, how: dict[str, Any] | None, training: Table, held: Table | None) -> _Made:
    from clearwood.learners.rules.rules_of import rules_of
    from clearwood.learners.rules.simplifying import simplify_rules
    from clearwood.learners.rules.tree_rules import columns_with_empty_cells
    from clearwood.scoring.evaluation import evaluate
    from clearwood.study.rule_scores import rule_scores

    rules = rules_of(tree, may_be_empty=columns_with_empty_cells(training))
    simplified = None if how is None else simplify_rules(rules, training, **how)
    listed = [rules] if simplified is None else [rules, simplified.rules]
    return _Made(
        tuple(
            _Evaluated(each, evaluate(each, training), None if held is None else evaluate(each, held))
            for each in listed
        ),
        rule_scores(listed[-1], training, held),
        None if simplified is None else simplified.ledger,
        training.weights is not None,
    )


def _lines_of(rules: RuleList, scores: RuleScores) -> list[str]:
    """Each rule, folded to the page, with its figures; the default rule with its answer too."""
    from clearwood.cli.drawing import page_width
    from clearwood.draw.rules import fold_rule
    from clearwood.models.kinds.rules.rule_text import otherwise_line
    from clearwood.study.rule_scores import score_lines

    laid_out = score_lines(scores)
    lines = list(laid_out.heading)
    for each in laid_out.rules:
        rule = otherwise_line(rules, counts=False) if each.rule is None else str(each.rule)
        first, *more = fold_rule(rule, page_width() - len(each.ahead))
        lines += [each.ahead + first, *(" " * len(each.ahead) + line for line in more), *each.figures]
    return lines
