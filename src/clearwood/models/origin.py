"""Where a model came from: learner, settings, version, and a fingerprint of the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

Plain: TypeAlias = "str | float | int | bool | tuple[Plain, ...] | Mapping[str, Plain] | None"


@dataclass(frozen=True, slots=True)
class Origin:
    """Enough to say how a model was made and to notice that another table is not the one it was made from.

    The settings are a view that cannot be changed, nor can the dict it was made from change them.

    >>> Origin("ID3", {"min_rows": 2}).settings["min_rows"]
    2
    """

    learner: str
    settings: Mapping[str, Plain] = field(default_factory=dict)
    version: str = ""
    fingerprint: str = ""
    rows: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", _frozen(self.settings))

    def __reduce__(self) -> tuple[type[Origin], tuple[Plain, ...]]:
        # A view cannot be pickled or copied: what it shows can.
        settings = _thawed(self.settings)
        return Origin, (self.learner, settings, self.version, self.fingerprint, self.rows)


def _frozen(value: Plain) -> Plain:
    if isinstance(value, Mapping):
        return MappingProxyType({key: _frozen(each) for key, each in value.items()})
    return tuple(_frozen(each) for each in value) if isinstance(value, tuple | list) else value


def _thawed(value: Plain) -> Plain:
    if isinstance(value, Mapping):
        return {key: _thawed(each) for key, each in value.items()}
    return tuple(_thawed(each) for each in value) if isinstance(value, tuple) else value
