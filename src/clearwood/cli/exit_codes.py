"""Exit codes, as `grep` and `diff` have them: 0 where all is well, 1 where it is not, 2 for trouble."""

from __future__ import annotations

from typing import Final

DIFFERS: Final = 1  # all was done, and what was to hold does not: an assertion, a proof
REFUSED: Final = 2  # nothing was found out, and a sentence says why; a wrong usage too
NOT_RUN: Final = 3  # nothing here can run what was to be proven
NO_READER: Final = 141  # whoever read our output has gone
