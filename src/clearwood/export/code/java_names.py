"""Names that a class or a package of Java can have, and that an exported class does not need for others."""

from __future__ import annotations

import re
from typing import Final

from clearwood.errors import SettingError

_WORDS: Final = """
_ abstract assert boolean break byte case catch char class const continue default do double else enum
extends false final finally float for goto if implements import instanceof int interface long native new
null package private protected public return short static strictfp super switch synchronized this throw
throws transient true try void volatile while
"""
_KEYWORDS: Final = frozenset(_WORDS.split())
_NO_TYPES: Final = {"permits", "record", "sealed", "var", "yield"}  # elsewhere they may be names
_USED: Final = {"Double", "LinkedHashMap", "Map", "Math", "Number", "Object", "String", "System", "java"}
_LISTS: Final = re.compile(r"(CLASSES|REGIONS|T\d+)_\d+")  # the classes within, that hold lists


def check_java_names(name: str, package: str) -> None:
    """Refuse a class or a package that would not compile.

    >>> check_java_names("Model", "org.record")
    >>> check_java_names("Map", "")
    Traceback (most recent call last):
    clearwood.errors.SettingError: name must not be 'Map', which the class itself uses. Another: 'MapModel'.
    """
    if not _is_name(name) or name in _NO_TYPES:
        away = " The package is an option of its own: package='org.example'." if "." in name else ""
        raise SettingError(f"name must be a name that a class of Java can have, not '{name}'.{away}")
    if name in _USED or _LISTS.fullmatch(name):
        raise SettingError(f"name must not be '{name}', which the class itself uses. Another: '{name}Model'.")
    parts = package.split(".") if package else []
    if not all(map(_is_name, parts)):
        raise SettingError(
            f"package must be a name that a package of Java can have, such as 'org.example', not '{package}'."
        )
    if parts and parts[0] in ("java", "javax"):
        raise SettingError(
            f"package must not be '{package}': Java keeps '{parts[0]}' for itself. Write 'org.example', say."
        )


def _is_name(part: str) -> bool:
    return re.fullmatch(r"[A-Za-z_$][\w$]*", part, re.ASCII) is not None and part not in _KEYWORDS
