"""Where a model came from: learner, settings, version, and a fingerprint of the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Plain: TypeAlias = "str | float | int | bool | tuple[Plain, ...] | Mapping[str, Plain] | None"


@dataclass(frozen=True, slots=True)
class Origin:
    """Enough to say how a model was made and to notice that another table is not the one it was made from."""

    learner: str
    settings: Mapping[str, Plain] = field(default_factory=dict)
    version: str = ""
    fingerprint: str = ""
    rows: int = 0
