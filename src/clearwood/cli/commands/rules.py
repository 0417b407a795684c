"""`clearwood rules`: a tree read as rules, each with its scores, and simplified by tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from clearwood.catalogue import LEARNERS, tree_called, trees
from clearwood.cli.evaluation_options import Judging, TestPart
from clearwood.cli.learning import (
    ChosenTree,
    Learning,
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
from clearwood.errors import SettingError, no_such
from clearwood.records import dataclass
from clearwood.registry import has_effect, settings_of
from clearwood.study.designs import HoldOut

if TYPE_CHECKING:
    from clearwood.learners.learner import Learner
    from clearwood.learners.rules.simplifying import RulesLedger
    from clearwood.models.kinds.rules.rule_list import RuleList
    from clearwood.models.kinds.tree.tree import Tree
    from clearwood.scoring.evaluation import Evaluation
    from clearwood.study.designs import HoldOut
    from clearwood.study.recipe import Recipe
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

    how = _settings_of(asked.tests, asked.simplify)
    check_place(asked.save, asked.data, asked.chosen.model)
    if asked.chosen.model is None and holds_model(asked.data):
        _tree_in(Path(asked.data), "DATA")
        raise SettingError(
            f"{asked.data} holds a model, not rows. Give it as the model, and rows to score its rules on: "
            f"clearwood rules DATA --model {quote(asked.data)}."
        )
    grown: Learner[Any] | Tree
    notes: list[str] = []
    if asked.chosen.model is None:
        recipe_for = _recipe_maker(asked.chosen.learning)
        table = table_to_learn(asked.data, asked.source, asked.output)
        recipe = recipe_for(table)
        grown, notes = recipe.learner, note_on_default(asked.chosen.learning, recipe)
    else:
        refuse_learning(
            replace(asked.chosen, learning=replace(asked.chosen.learning, seed=None)), asked.source.columns
        )
        grown = _tree_in(asked.chosen.model, asked.data)
        table = rows_for(grown, asked.data, asked.source.reading, asked.output)
    design = Judging(test_part=asked.test_part).design(asked.chosen.learning.seed, len(table))
    assert design is None or isinstance(design, HoldOut)
    drawn = design is not None or (hasattr(grown, "seed") and has_effect(grown, "seed"))
    notes += note_on_unused_seed(asked.chosen.learning.seed, drawn=drawn)
    with working("Making rules"):
        made = _make_rules(grown, how, design, table)
    notes += made.notes
    note(notes, asked.output)
    if asked.save is not None:
        save_rules(made.rules, asked.save)
    answer(
        asked.output,
        text=lambda: made_to_text(made, with_rules=not asked.output.quiet, with_ledger=asked.tests.ledger),
        data=lambda: made_to_json(made, with_ledger=asked.tests.ledger),
        notes=[*table.notes, *notes],
        saved=asked.save,
    )


def _tree_in(place: Path, data: str) -> Tree:
    """The tree in a file; of another model, where its rules are."""
    from clearwood.cli.rule_files import way_to_rules
    from clearwood.models.kinds.rules.rule_list import RuleList
    from clearwood.models.kinds.tree.tree import Tree

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
    from clearwood.learners.rules.rules_of import rules_of
    from clearwood.learners.rules.simplifying import simplify_rules
    from clearwood.learners.rules.tree_rules import columns_with_empty_cells
    from clearwood.learners.training import fingerprint
    from clearwood.models.kinds.tree.tree import Tree
    from clearwood.study.known_rows import has_seen
    from clearwood.study.rule_scores import rule_scores
    from clearwood.table.attributes import Numeric
    from clearwood.table.folding import hold_out

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
    from clearwood.scoring.evaluation import evaluate

    return RulesAndScores(rules, evaluate(rules, training), None if held is None else evaluate(rules, held))


# What `rules` says: the ledger if asked, each rule with its figures, and the answers before and after.


def made_to_text(made: RulesMade, *, with_rules: bool, with_ledger: bool) -> str:
    """All of it, for a person."""
    parts = []
    if with_ledger and made.ledger is not None:
        parts.append(str(made.ledger))
    if with_rules:
        parts.append("\n".join(_scores(made)))
    if made.after is None:
        parts.append(_judgement("", made.before, weighted=made.weighted))
    else:
        parts.append(
            _judgement("before: ", made.before, weighted=made.weighted)
            + "\n"
            + _judgement("after:  ", made.after, weighted=made.weighted)
        )
    return "\n\n".join(parts)


def made_to_json(made: RulesMade, *, with_ledger: bool) -> dict[str, Any]:
    """All of it, for machines."""
    from clearwood.models.kinds.rules.rule_text import write_rules

    return {
        "from": made.before.rules.origin.learner,
        "rules": write_rules(made.rules).splitlines(),
        "before": _judgement_to_json(made.before),
        "after": None if made.after is None else _judgement_to_json(made.after),
        "scores": made.scores.to_json(),
        **({"ledger": made.ledger.to_json()} if with_ledger and made.ledger is not None else {}),
        "model": model_as_json(made.rules),
    }


def _scores(made: RulesMade) -> list[str]:
    """Each rule, folded to the page, with its figures; the default rule with its answer too."""
    from clearwood.cli.drawing import page_width
    from clearwood.draw.rules import fold_rule
    from clearwood.models.kinds.rules.rule_text import otherwise_line
    from clearwood.study.rule_scores import score_lines

    laid_out = score_lines(made.scores)
    lines = list(laid_out.heading)
    for each in laid_out.rules:
        rule = otherwise_line(made.rules, counts=False) if each.rule is None else str(each.rule)
        first, *more = fold_rule(rule, page_width() - len(each.ahead))
        lines += [each.ahead + first, *(" " * len(each.ahead) + line for line in more), *each.figures]
    return lines


def _judgement(name: str, judged: RulesAndScores, *, weighted: bool) -> str:
    from clearwood.study.known_rows import also_chosen, chosen_in_learning
    from clearwood.study.scores import phrase

    rules = judged.rules
    size = f"{len(rules):,} {'rule' if len(rules) == 1 else 'rules'}"
    conditions = f"{rules.conditions:,} {'condition' if rules.conditions == 1 else 'conditions'}"
    chose = also_chosen(chosen_in_learning(rules.origin))
    lines = [
        f"{name}{size}, {conditions}",
        "; ".join(filter(None, [f"  training  {phrase(judged.training, weighted=weighted)}", chose])),
    ]
    if judged.held_out is not None:
        lines.append(f"  held out  {phrase(judged.held_out, weighted=weighted)}")
    return "\n".join(lines)


def _judgement_to_json(judged: RulesAndScores) -> dict[str, Any]:
    from clearwood.study.known_rows import chosen_in_learning
    from clearwood.study.scores import evaluation_to_json

    return {
        "rules": len(judged.rules),
        "conditions": judged.rules.conditions,
        "training": evaluation_to_json(judged.training),
        "training_chose": chosen_in_learning(judged.rules.origin),
        "held_out": None if judged.held_out is None else evaluation_to_json(judged.held_out),
    }
