"""Letters are defined where a formula first uses them: a line that begins with "where"."""

from __future__ import annotations

from collections.abc import Mapping

from clearwood.formulas.letters import letters_in
from clearwood.working.figures import Figure


class Letters:
    """The meanings of letters, each given once in a document."""

    def __init__(self, meanings: Mapping[str, str]) -> None:
        self._meanings = dict(meanings)

    def defined_in(self, figure: Figure) -> list[str]:
        """`where n_c is the number of rows of class c`, if the formula is the first to use a letter."""
        if figure.formula is None:
            return []
        new = [
            f"{letter.removesuffix('(…)')} is {self._meanings.pop(letter)}"
            for letter in dict.fromkeys(letters_in(figure.formula))
            if letter in self._meanings
        ]
        return [f"where {', '.join(new)}"] if new else []
