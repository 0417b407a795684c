"""What `fit` does with a table: learn by a recipe, judge by held-out rows, and tell."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from clearwood.cli.drawing import drawn_to_fit, rules_in
from clearwood.draw.rules import draw_rules
from clearwood.errors import SchemaError, SettingError
from clearwood.models.files import to_json
from clearwood.models.model import size_of
from clearwood.models.tree import Tree
from clearwood.study.designs import Design, Folds, HoldOut, TrainingRows
from clearwood.study.scores import evaluation_to_json, folds_to_json, phrase, phrase_of_folds
from clearwood.study.study import Study
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

    def design(self, rows: int) -> Design:
        """The design, checked for so many rows."""
        self.check(rows)
        if self.folds is not None:
            return Folds(self.folds, self.seed)
        return TrainingRows(self.seed) if self.test_part is None else HoldOut(self.test_part, self.seed)

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


def notes_on(study: Study) -> tuple[str, ...]:
    """What was done with the rows on the user's behalf."""
    if study.pruning is None or study.training is None:
        return ()
    part = "by weight " if _weighted(study) else "of the rows "
    return (
        f"A third {part}was kept back from learning, to prune with: {study.pruning.weight:.10g}"
        f" of {study.training.weight + study.pruning.weight:.10g}.",
    )


def fit_to_text(study: Study, *, with_model: bool, with_rules: bool = False) -> str:
    """The model, what was cut from it, and how good it is, for a person."""
    model, lines = study.model, []
    if with_model:
        lines += [*drawn_to_fit(model), ""]
    if with_rules and (isinstance(model, Tree) or not with_model):
        lines += [draw_rules(rules_in(model)), ""]
    lines += [str(ledger).splitlines()[0] for ledger in study.ledgers]
    scores = {"training": study.training, "pruning ": study.pruning}
    if study.folds is None:
        scores["held out"] = study.judged
    lines += [
        f"{name}  {phrase(score, weighted=_weighted(study))}"
        for name, score in scores.items()
        if score is not None
    ]
    if study.folds is not None:
        lines.append(f"held out  {phrase_of_folds(study.folds)}")
    return "\n".join(lines)


def fit_to_json(study: Study, *, with_rules: bool = False) -> dict[str, Any]:
    """The same, for machines."""
    model = study.model
    size, unit = size_of(model)
    held_out = study.judged if study.folds is None else None
    return {
        "learner": model.origin.learner,
        unit: size,
        **({"nodes": model.size, "depth": model.depth} if isinstance(model, Tree) else {}),
        "training": None if study.training is None else evaluation_to_json(study.training),
        "pruning": None if study.pruning is None else evaluation_to_json(study.pruning),
        "held_out": None if held_out is None else evaluation_to_json(held_out),
        "cross_validation": None if study.folds is None else folds_to_json(study.folds),
        "pruned": [ledger.to_json() for ledger in study.ledgers],
        "model": json.loads(to_json(model)),
        **({"rules": draw_rules(rules_in(model)).splitlines()} if with_rules else {}),
    }


def _weighted(study: Study) -> bool:
    return study.table.weights is not None


def need_target(table: Table) -> None:
    """A sentence if nobody said what to predict."""
    if table.schema.target is None:
        names = ", ".join(attribute.name for attribute in table.schema.attributes)
        raise SchemaError(f"Which column is to be predicted? Give it: --target COLUMN. Columns: {names}.")
