"""What all models have, whichever their kind: a schema, how they decide, where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from clearwood import shown
from clearwood.table.attributes import Numeric

if TYPE_CHECKING:
    from clearwood.models.decision import Decision
    from clearwood.models.origin import Origin
    from clearwood.models.profile import Profile
    from clearwood.table.schema import Schema


class BaseModel:
    """A model of any kind, a frozen dataclass with these fields; `kind` is its name in `KINDS`."""

    kind: ClassVar[str]
    schema: Schema
    decision: Decision
    origin: Origin
    profile: Profile | None

    @property
    def is_numeric(self) -> bool:
        """Does it predict a number rather than a class?"""
        return isinstance(self.schema.target, Numeric)

    def __str__(self) -> str:
        return shown.text(self)

    def _repr_html_(self) -> str:
        return shown.html(self)

    def _repr_svg_(self) -> str | None:
        return shown.svg(self)
