"""A way to balance by the name and settings that an option gives."""

from __future__ import annotations

from clearwood.catalogue import BALANCERS
from clearwood.cli.settings import parse
from clearwood.study.recipe import Balance


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
