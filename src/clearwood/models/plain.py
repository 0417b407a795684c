"""Plain values: what settings and lineage are made of, so that they can be saved, compared and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import TypeAlias

from clearwood.records import dataclass

Plain: TypeAlias = "str | float | int | bool | LearnerAsData | tuple[Plain, ...] | Mapping[str, Plain] | None"


@dataclass(frozen=True, slots=True)
class LearnerAsData:
    """A learner as data: the name of its class, and its settings. It may be a setting of another learner.

    >>> LearnerAsData("C45", {"confidence": 0.1}).settings["confidence"]
    0.1
    """

    learner: str
    settings: Mapping[str, Plain] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", frozen(self.settings))

    def __reduce__(self) -> tuple[type[LearnerAsData], tuple[Plain, ...]]:
        # A view cannot be pickled or copied: what it shows can.
        return LearnerAsData, (self.learner, thawed(self.settings))


def frozen(value: Plain) -> Plain:
    """The value as a view that cannot be changed, nor can the dict it was made from change it."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: frozen(each) for key, each in value.items()})
    return tuple(frozen(each) for each in value) if isinstance(value, tuple | list) else value


def thawed(value: Plain) -> Plain:
    """The value as dicts and tuples again, which can be pickled."""
    if isinstance(value, Mapping):
        return {key: thawed(each) for key, each in value.items()}
    return tuple(thawed(each) for each in value) if isinstance(value, tuple) else value
