"""What is fuzzed: one line per subject, each in a file of its own."""

from __future__ import annotations

from typing import Final

from tests.fuzz import readers
from tests.fuzz.cases import Subject

SUBJECTS: Final[dict[str, Subject]] = {
    "readers": readers.case,
}
