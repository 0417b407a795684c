"""What `fit` does with a table: learn by a recipe, judge by held-out rows, and tell."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from clearwood.cli.drawing import drawn_to_fit, rules_in
from clearwood.cli.recipe import Recipe
from clearwood.cli.scores import evaluation_to_json, folds_to_json, phrase, phrase_of_folds
from clearwood.draw.rules import draw_rules
from clearwood.errors import SchemaError, SettingError
from clearwood.learners.trees.pruning.ledger import Ledger
from clearwood.models.files import to_json
from clearwood.models.model import Model, size_of
from clearwood.models.tree import Tree
from clearwood.scoring.evaluation import Evaluation, evaluate
from clearwood.study.cross_validation import CrossValidation, cross_validate
from clearwood.study.learned import Learned
from clearwood.table.folding import hold_out
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Judging:
    """How the recipe is judged on rows it has not seen: a part held out, or folds, or not at all."""

    test_part: float | None = None
    folds: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.test_part is not None and self.folds is not None:
            raise SettingError("Give --test-part or --cross-validate, not both.")

    def check(self, rows: int) -> None:
        """A sentence, before any work, if so many rows cannot be parted so."""
        part, folds = self.test_part, self.folds
        if part is not None and not (0 < part < 1 and 0 < round(part * rows) < rows):
            raise SettingError(
                f"--test-part must leave rows on both sides: {part!r} of {rows} rows does not. Try 0.3."
            )
        if folds is not None and not 2 <= folds <= rows:
            raise SettingError(
                f"--cross-validate must lie between 2 and the number of rows ({rows}), not {folds}."
            )


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model, what was cut from it, and how good it is."""

    model: Model
    ledgers: tuple[Ledger, ...]
    training: Evaluation
    pruning: Evaluation | None = None  # on the rows kept back for it
    held_out: Evaluation | None = None
    folds: CrossValidation | None = None
    weighted: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        if self.pruning is None:
            return ()
        part = "by weight " if self.weighted else "of the rows "
        return (
            f"A third {part}was kept back from learning, to prune with: {self.pruning.weight:.10g}"
            f" of {self.training.weight + self.pruning.weight:.10g}.",
        )

    def to_text(self, *, with_model: bool, with_rules: bool = False) -> str:
        lines = []
        if with_model:
            lines += [*drawn_to_fit(self.model), ""]
        if with_rules and (isinstance(self.model, Tree) or not with_model):
            lines += [draw_rules(rules_in(self.model)), ""]
        lines += [str(ledger).splitlines()[0] for ledger in self.ledgers]
        judged = {"training": self.training, "pruning ": self.pruning, "held out": self.held_out}
        lines += [
            f"{name}  {phrase(found, weighted=self.weighted)}"
            + ("; these rows chose the pruning" if found is self.pruning else "")
            for name, found in judged.items()
            if found is not None
        ]
        if self.folds is not None:
            lines += [f"held out  {phrase_of_folds(self.folds)}"]
        return "\n".join(lines)

    def to_json(self, *, with_rules: bool = False) -> dict[str, Any]:
        size, unit = size_of(self.model)
        shape = {"nodes": self.model.size, "depth": self.model.depth} if isinstance(self.model, Tree) else {}
        return {
            "learner": self.model.origin.learner,
            unit: size,
            **shape,
            "training": evaluation_to_json(self.training),
            "pruning": None if self.pruning is None else evaluation_to_json(self.pruning),
            "held_out": None if self.held_out is None else evaluation_to_json(self.held_out),
            "cross_validation": None if self.folds is None else folds_to_json(self.folds),
            "pruned": [ledger.to_json() for ledger in self.ledgers],
            "model": json.loads(to_json(self.model)),
            **({"rules": draw_rules(rules_in(self.model)).splitlines()} if with_rules else {}),
        }


def need_target(table: Table) -> None:
    """A sentence if nobody said what to predict."""
    if table.schema.target is None:
        names = ", ".join(attribute.name for attribute in table.schema.attributes)
        raise SchemaError(f"Which column is to be predicted? Give it: --target COLUMN. Columns: {names}.")


def learn_and_judge(recipe: Recipe, table: Table, judging: Judging) -> Fitted:
    """Learn from the table, or from what a test part leaves of it, and judge the outcome."""
    judging.check(len(table))
    if judging.test_part is not None:
        learned, held = hold_out(table, judging.test_part, judging.seed)
        fitted = _fitted(recipe.learn_and_tell(table.take(learned)))
        return replace(fitted, held_out=evaluate(fitted.model, table.take(held)))
    folds = (
        None
        if judging.folds is None
        else cross_validate(recipe, table, folds=judging.folds, seed=judging.seed)
    )
    return replace(_fitted(recipe.learn_and_tell(table)), folds=folds)


def _fitted(learned: Learned) -> Fitted:
    model, back = learned.model, learned.kept_back
    return Fitted(
        model,
        learned.ledgers,
        evaluate(model, learned.grown_on),
        None if back is None else evaluate(model, back),
        weighted=learned.grown_on.weights is not None,
    )
