"""The reference that a row is compared with: without one, a weight's evidence depends on arbitrary zeros."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ColumnError, SettingError, no_such
from clearwood.models.account.account import Account, AccountTerm, Places
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.model import account_of
from clearwood.predicting.added import added, added_by
from clearwood.predicting.columns import table_of_row

Reference: TypeAlias = Literal["average", "zero", "best"] | Mapping[str, Any] | None

AVERAGE: Final = "average row"
MEAN: Final = "mean of the training rows"  # of an ensemble's score
_ZERO: Final = "intercept"
_GIVEN: Final = "given row"
_BEST: Final = "row most in favour of "
_WAYS: Final = "'average', 'zero', 'best' or a row: {'COLUMN': VALUE, …}"


def reference_for(model: LinearModel, against: Reference, shares: Sequence[float]) -> tuple[str, Floats]:
    """The reference that is asked for, by name, and [column, class] what it adds; None is the average row of
    a model that keeps averages, else zeros.

    `shares` [class] say which two classes the best row is between: it speaks for the second against the
    first.
    """
    account, classes = account_of(model), model.schema.classes
    averages = account.averages or {}
    has_averages = all(term.name in averages for term in account.terms)
    lines: list[Floats]
    if against is None:
        against = "average" if has_averages else "zero"
    if isinstance(against, Mapping):
        for name in against:
            if name not in model.schema.positions and name != getattr(model.schema.target, "name", None):
                raise ColumnError(f"against: {no_such('column', str(name), model.columns())}")
        table, called = table_of_row(model, against), _GIVEN
        lines = [added_by(model.schema, term, table)[0] for term in account.terms]
    elif against == "average":
        if not has_averages:
            raise SettingError(
                "This model keeps no averages of its columns, as one made by hand. "
                "Learn it again, or compare with a row or with against='zero'."
            )
        called, lines = AVERAGE, [averages[term.name] for term in account.terms]
    elif against == "zero":
        called, lines = _ZERO, [np.zeros(len(classes)) for _ in account.terms]
    elif against == "best":
        answer, rival = sorted(range(len(classes)), key=lambda c: -shares[c])[:2]
        called = f"{_BEST}{classes[rival]}"
        lines = [_best(account, term, answer, rival) for term in account.terms]
    else:
        raise SettingError(f"against must be {_WAYS}; not {against!r}.")
    return called, np.array(lines).reshape(-1, len(classes))


def compared_with(name: str) -> str:
    """A reference in a sentence; "" where cells are compared with none.

    >>> compared_with("average row"), compared_with("prior")
    ('the average row', '')
    """
    return f"the {name}" if name in (AVERAGE, MEAN, _GIVEN) or name.startswith(_BEST) else ""


def _best(account: Account, term: AccountTerm, answer: int, rival: int) -> Floats:
    """[class] what the cell adds that speaks most for the runner-up against the answer; a number's is an end
    of its range."""
    cells = (account.tried or {})[term.name]
    if not cells:
        raise SettingError(
            f"The best row needs the range of '{term.name}', and the model has no profile of its training "
            "rows. clearwood fit --save keeps one; in Python give it one with with_profile(model, "
            "table). Or compare with a row of your own."
        )
    places = map(term.sides[0].place, cells) if isinstance(term, Places) else cells
    lines = added(term, np.array(list(places)))
    best: Floats = lines[int(np.argmax(lines[:, rival] - lines[:, answer]))]
    return best
