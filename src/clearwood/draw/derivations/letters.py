"""Letters are defined where a formula uses them first, or uses them anew for something else."""

from __future__ import annotations

from clearwood.formulas.expressions import Symbol
from clearwood.formulas.letters import letters_in
from clearwood.working.figures import Figure


class Letters:
    """What each letter of a document stands for at present; a meaning is written where it is new."""

    def __init__(self) -> None:
        self._now: dict[str, str] = {}

    def defined_in(self, figure: Figure) -> tuple[Symbol, ...]:
        """The letters of its formula that a reader does not know yet, or knows by another meaning."""
        if figure.formula is None:
            return ()
        new = {}
        for letter in letters_in(figure.formula):
            if letter.means and self._now.get(letter.name) != letter.means:
                self._now[letter.name] = letter.means
                new[letter.name] = letter.symbol
        return tuple(new.values())
