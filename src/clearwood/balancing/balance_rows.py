"""A table balanced by a way of the list, and the entry of a lineage that tells how."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from clearwood.balancing import BALANCERS
from clearwood.balancing.class_weights import class_totals, rows_with_class
from clearwood.bounds import whole
from clearwood.errors import ClearwoodWarning, SettingError, no_such
from clearwood.models.lineage import Balanced
from clearwood.registry import settings_of
from clearwood.table.table import Table


def balanced(table: Table, by: str = "weights", *, seed: int = 0, **settings: Any) -> Table:
    """The table with its classes balanced `by` a way: weights, under, over, smote, smote-nc, tomek or enn.

    It is for looking at. A model is to be judged on rows as they are, and a row drawn twice, or made between
    two others, must not be held out from its like: for that give a recipe a `Balance`, which balances the
    training rows of each fold alone.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.balanced(table, "weights").weights.round(3).tolist()[:3]
    [1.286, 1.286, 0.714]
    >>> len(cw.balanced(table, "under")), len(cw.balanced(table, "over", ratio=0.8))
    (10, 16)
    """
    return balance_rows(table, by, whole("seed", seed, 0), settings)[0]


def balance_rows(table: Table, by: str, seed: int, settings: Mapping[str, Any]) -> tuple[Table, Balanced]:
    """The balanced rows, and what was done. Where all rows are of one class, they stay as they are."""
    if not isinstance(table, Table):
        raise SettingError(
            f"A Table is balanced, not {type(table).__name__}. Make one: clearwood.read_table(…, target='…')."
        )
    entry = BALANCERS.find(by)
    chosen = complete_settings(by, settings)
    rows = rows_with_class(table)
    before = class_totals(rows)
    met = before > 0
    if met.sum() < 2:
        name = rows.schema.classes[int(met.argmax())]
        warnings.warn(
            f"Every row is of one class, '{name}': there is nothing to balance.",
            ClearwoodWarning,
            stacklevel=3,
        )
    else:
        rows = entry.balance(rows, seed, **chosen)
    after = class_totals(rows)
    kept = {**chosen, **({"seed": seed} if entry.draws else {})}
    return rows, Balanced(by.lower(), tuple(before.tolist()), tuple(after.tolist()), kept)


def again(table: Table, done: Balanced) -> Table:
    """The same rows balanced again as a lineage tells."""
    settings = {name: _plain(value) for name, value in done.settings.items() if name != "seed"}
    seed = done.settings.get("seed", 0)
    assert isinstance(seed, int)
    return balance_rows(table, done.by, seed, settings)[0]


def complete_settings(by: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting of a way, checked: those given, and the others' defaults."""
    known = settings_of(BALANCERS.find(by).balance)
    for name in settings:
        if not known:
            raise SettingError(f"{by} has no settings, so that '{name}' cannot be one. Leave it out.")
        if name not in known:
            raise SettingError(no_such(f"setting of {by} called", name, known, plural="settings"))
    return {name: each.check(settings.get(name, each.default)) for name, each in known.items()}


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value
