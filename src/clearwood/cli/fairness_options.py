"""Options of fairness: columns that no model may ask, and the answer that people want to get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from clearwood.cli.declaring import FAIRNESS, option
from clearwood.errors import SettingError
from clearwood.records import dataclass

Favourable = Annotated[
    str | None,
    option(
        "--favourable",
        "CLASS",
        "The class that people want to get, for the four-fifths rule (else the positive class).",
        FAIRNESS,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protecting:
    """Columns that are kept from the learner, and by whose values the answers are compared."""

    protected: Annotated[
        list[str] | None,
        option(
            "--protected",
            "COLUMN,…",
            "Learn without these columns; compare the predictions by their values, and look for proxies.",
            FAIRNESS,
        ),
    ] = None
    favourable: Favourable = None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, each once."""
        if self.favourable is not None and not self.protected:
            raise SettingError("--favourable is for comparing groups. Say also which: --protected COLUMN.")
        return names_in(self.protected)


def names_in(texts: Sequence[str] | None) -> tuple[str, ...]:
    """Names that were given one by one, or several with commas.

    >>> names_in(["sex,race", "age"])
    ('sex', 'race', 'age')
    """
    return tuple(dict.fromkeys(name.strip() for text in texts or () for name in text.split(",")))
