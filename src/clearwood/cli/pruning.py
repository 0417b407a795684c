"""A pruner by the name and settings that the options give."""

from __future__ import annotations

from typing import Final

from clearwood.cli.registry import PRUNERS, find
from clearwood.cli.settings import parse
from clearwood.errors import SettingError
from clearwood.study.pruning import Pruning, RowsNeeded

_ROWS_NEEDED: Final[dict[str, RowsNeeded]] = {"reduced-error": "fresh", "error-based": "training"}


def pruning_of(text: str, more: list[str] | None = None) -> Pruning:
    """`cost-complexity:alpha=0.01` as a pruning; `more` holds settings given apart.

    >>> pruning_of("chi-square:alpha=0.01")
    Pruning(name='chi-square', settings={'alpha': 0.01})
    """
    name, _, settings = text.partition(":")
    entry = find("pruner", name, PRUNERS)
    given = parse(name, [each for each in (*settings.split(","), *(more or ())) if each], entry.load())
    if name == "cost-complexity" and "alpha" not in given:
        raise SettingError(
            "cost-complexity needs the price of a leaf: alpha=0.01, say."
            " To have it chosen by cross-validation, learn with --learner cart --set alpha=cv."
        )
    return Pruning(name.lower(), entry.load(), given, _ROWS_NEEDED.get(name.lower(), "none"))
