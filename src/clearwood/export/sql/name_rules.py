"""What a database lets be a name: how long it may be, and which characters it may have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

NameUnit: TypeAlias = Literal["bytes", "characters", "UTF-16 units"]
_MEASURED: Final[Mapping[NameUnit, Callable[[str], int]]] = {
    "bytes": lambda name: len(name.encode()),
    "characters": len,
    "UTF-16 units": lambda name: len(name.encode("utf-16-le")) // 2,
}


@dataclass(frozen=True, slots=True)
class NameRules:
    """The most that a name may have, of which unit; `basic`: no character beyond U+FFFF, and no blank at the
    end."""

    most: int | None = None
    unit: NameUnit = "characters"
    basic: bool = False

    def broken_by(self, name: str) -> str | None:
        """What of a name the database does not take; None: it takes it.

        >>> NameRules(5, "bytes").broken_by("größe")
        'is longer than 5 bytes'
        """
        if self.most is not None and _MEASURED[self.unit](name) > self.most:
            return f"is longer than {self.most} {self.unit}"
        if self.basic and name and ord(max(name)) > 0xFFFF:
            return f"has the character {max(name)}, which is beyond U+FFFF"
        if self.basic and name.endswith(" "):
            return "ends with a blank"
        return None

    def fitted(self, name: str) -> str:
        """A name of ours without the characters that it may not have.

        >>> NameRules(basic=True).fitted("share_😀 ")
        'share__'
        """
        if not self.basic:
            return name
        return "".join("_" if ord(each) > 0xFFFF else each for each in name).rstrip(" ")


ANY_NAME: Final = NameRules()
