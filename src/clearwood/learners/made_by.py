"""The learner that made a model, with its settings, as the model's origin has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any, Final

from clearwood.errors import SettingError
from clearwood.models.origin import Origin
from clearwood.models.plain import Made, Plain

_HOMES: Final[Mapping[str, str]] = {
    "ID3": "trees.id3", "C45": "trees.c45", "CART": "trees.cart", "CHAID": "trees.chaid",
    "C45Rules": "rules.c45_rules", "ILA": "rules.ila", "ILA2": "rules.ila", "ILA3": "rules.ila",
    "ILA4": "rules.ila", "CN2": "rules.cn2", "PRISM": "rules.prism", "RIPPER": "rules.ripper",
    "TreeRules": "rules.tree_rules",
    "NaiveBayes": "bayes.naive_bayes", "Logistic": "linear.logistic",
}  # fmt: skip


def made_by(origin: Origin | Made) -> Any:
    """The learner as it was set; a sentence where the origin names none that can be made again.

    >>> made_by(Origin("ID3", {"min_rows": 5})).min_rows
    5
    """
    if origin.learner not in _HOMES:
        raise SettingError(
            f"This model was made by '{origin.learner}', which is no learner that can be run again. "
            f"Those that can: {', '.join(_HOMES)}."
        )
    kind = getattr(import_module(f"clearwood.learners.{_HOMES[origin.learner]}"), origin.learner)
    known = {each.name for each in fields(kind)}
    unknown = [name for name in origin.settings if name not in known]
    if unknown:
        raise SettingError(
            f"This model was made by {origin.learner} with the setting '{unknown[0]}', which this version "
            "does not know. Learn it again."
        )
    return kind(**{name: _setting(name, value) for name, value in origin.settings.items()})


def _setting(name: str, value: Plain) -> Any:
    """A setting as learners take it: costs have pairs for keys, where the origin has a table of tables."""
    if isinstance(value, Made):
        return made_by(value)
    if name == "costs" and isinstance(value, Mapping):
        return {
            (true, called): cost
            for true, row in value.items()
            if isinstance(row, Mapping)
            for called, cost in row.items()
        }
    return dict(value) if isinstance(value, Mapping) else value
