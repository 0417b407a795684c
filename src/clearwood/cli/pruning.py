"""A pruner by the name and settings that the options give."""

from __future__ import annotations

from clearwood.catalogue import PRUNERS, pruner_called
from clearwood.cli.settings import parse
from clearwood.errors import SettingError
from clearwood.registry import settings_of
from clearwood.study.recipe import Pruning


def pruning_of(text: str, more: list[str] | None = None) -> Pruning:
    """`cost-complexity:alpha=0.01` as a pruning; `more` holds settings given apart.

    >>> pruning_of("chi-square:alpha=0.01")
    Pruning(name='chi-square', settings={'alpha': 0.01})
    """
    called, _, settings = text.partition(":")
    name = pruner_called(called)
    pruner = PRUNERS[name]
    given = parse(name, [each for each in (*settings.split(","), *(more or ())) if each], pruner.prune)
    for setting in settings_of(pruner.prune).values():
        if setting.required and setting.name not in given:
            what = setting.meaning[:1].lower() + setting.meaning[1:].removesuffix(".")
            raise SettingError(f"{name} needs {what}: {setting.name}=0.01, say.")
    return Pruning(name, pruner, given)
