"""Steps of a recipe by the text that options give: a selection of columns, a way to balance, a pruner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clearwood.catalogue import BALANCERS, PRUNERS, SELECTORS, pruner_called
from clearwood.cli.settings import parse
from clearwood.errors import SettingError
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.registry import settings_of
from clearwood.selecting.selection import USUAL, Selection
from clearwood.study.recipe import Balance, Pruning


@dataclass(frozen=True, slots=True)
class Read:
    """What the text says: a selector, how many columns to keep, its settings."""

    by: str
    keep: int | None
    settings: dict[str, Any]


def read_selection(text: str) -> Read:
    """`8`, `mrmr:8`, `cfs`, `relieff:8,neighbours=5`: whatever it can say alone, or a sentence.

    >>> read_selection("relieff:8,neighbours=5")
    Read(by='relieff', keep=8, settings={'neighbours': 5})
    >>> read_selection("8").by
    'mrmr'
    """
    called, colon, rest = text.partition(":")
    if called.strip().isdigit() and not colon:
        called, rest = USUAL, called
    by = called.strip().lower()
    selector = SELECTORS.find(by)
    words = [each.strip() for each in rest.split(",") if each.strip()]
    keep = None
    if words and "=" not in words[0]:
        keep = _number(words.pop(0), text)
    return Read(by, keep, parse(by, words, selector.order))


def selection_of(text: str, learner: Learner[Model] | None, seed: int | None) -> Selection:
    """The selection; `learner` is for selectors that try one, `seed` for those that draw."""
    read = read_selection(text)
    return selection_with(read, learner, seed)


def selection_with(read: Read, learner: Learner[Model] | None, seed: int | None) -> Selection:
    """The selection that was read, with the learner and the seed that other options give."""
    selector = SELECTORS[read.by]
    settings = dict(read.settings)
    if seed is not None and "seed" in settings_of(selector.order):
        settings.setdefault("seed", seed)
    return Selection(read.by, read.keep, learner if selector.needs_learner else None, settings)


def _number(word: str, text: str) -> int:
    if not word.isdigit() or not int(word):
        raise SettingError(
            f"'{text}': after the colon stands how many columns to keep, or a setting as NAME=VALUE, "
            "as in mrmr:8 or relieff:8,neighbours=5."
        )
    return int(word)


def balance_of(text: str, seed: int | None = None) -> Balance:
    """`under:ratio=0.5` as a step of a recipe; a part without = goes on with the value before it.

    >>> balance_of("under:ratio=0.5", 3)
    Balance(by='under', settings={'ratio': 0.5}, seed=3)
    >>> balance_of("weights:by_class=bad:5,good:1").settings
    {'by_class': {'bad': 5.0, 'good': 1.0}}
    """
    name, _, rest = text.partition(":")
    texts: list[str] = []
    for part in filter(None, rest.split(",")):
        if "=" in part or not texts:
            texts.append(part)
        else:
            texts[-1] += f",{part}"
    entry = BALANCERS.find(name.strip())
    return Balance(name.strip(), parse(name.strip(), texts, entry.balance), seed or 0)


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
