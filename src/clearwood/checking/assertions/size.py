"""Size: the model has so many leaves, rules, levels or statements to read, and no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from clearwood.checking.assertions.bounds import bounds_words, check_bounds, meets
from clearwood.checking.assertions.model_and_rows import ModelAndRows
from clearwood.checking.assertions.verdict import AssertionVerdict
from clearwood.errors import SettingError, no_such
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Ensemble
from clearwood.models.model import Model, model_in_words
from clearwood.models.reading_size import reading_size
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict.columns import columns_used
from clearwood.words.numbers import number

SIZES: Final[Mapping[str, Callable[[Model], int | None]]] = {
    "leaves": lambda model: model.leaves if isinstance(model, Tree) else None,
    "nodes": lambda model: model.size if isinstance(model, Tree) else None,
    "depth": lambda model: model.depth if isinstance(model, Tree) else None,
    "rules": lambda model: len(model) if isinstance(model, RuleList) else None,
    "conditions": lambda model: model.conditions if isinstance(model, RuleList) else None,
    "members": lambda model: model.size if isinstance(model, Ensemble) else None,
    "columns": lambda model: len(columns_used(model)),
    "reading_size": reading_size,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeWithin:
    """The model has `at_most` (or `at_least`) so many `of` its leaves, nodes, depth, rules, conditions,
    members, columns that it asks about, or of what a person reads (`reading_size`)."""

    of: str
    at_least: float | None = None
    at_most: float | None = None
    name: str = ""

    def check_keys(self) -> None:
        """Refuse a size that there is not, and bounds that say nothing."""
        if self.of not in SIZES:
            raise SettingError(no_such("size", self.of, SIZES))
        check_bounds(self.at_least, self.at_most)

    @property
    def title(self) -> str:
        return f"{self.of} {bounds_words(self.at_least, self.at_most)}"


def check_model_size(asserted: SizeWithin, given: ModelAndRows) -> AssertionVerdict:
    """Exact: it is counted."""
    counted = SIZES[asserted.of](given.model)
    if counted is None:
        fitting = [name for name, count in SIZES.items() if count(given.model) is not None]
        subject, verb = ("They", "have") if isinstance(given.model, BayesTables) else ("It", "has")
        raise SettingError(
            f"{model_in_words(given.model).capitalize()} {verb} no {asserted.of}. "
            f"{subject} {verb}: {', '.join(fitting)}."
        )
    holds = meets(counted, asserted.at_least, asserted.at_most)
    because = f"{asserted.of}: {number(counted)}"
    return AssertionVerdict("size", asserted.name or asserted.title, holds, True, "exact, counted", because)
