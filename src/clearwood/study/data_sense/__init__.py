"""Data sense: what a careful reader notices in a table before anything is learned from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, TypeAlias

from clearwood.records import dataclass, json_of

FindingKind: TypeAlias = Literal[
    "leak", "identifier", "contradictions", "duplicates", "sentinel", "spelling", "copy", "constant", "drift"
]


@dataclass(frozen=True, slots=True)
class Finding:
    """What stands out, in which columns; `severe` is what may make every score too good, or none good.

    `harm`, from 0, orders findings by what they may do to a model. `sentence` may carry advice, as a note
    does.
    """

    kind: FindingKind
    columns: tuple[str, ...]
    sentence: str
    severe: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict)
    harm: float = 0.0

    def __str__(self) -> str:
        return self.sentence

    def to_json(self) -> dict[str, Any]:
        return json_of(self, "sentence")
