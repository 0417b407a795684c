"""What can be imported, in words: as help and refusals name it."""

from __future__ import annotations

from clearwood.importing import IMPORTERS
from clearwood.words.numbers import in_short


def importable_files() -> str:
    """The forms of files that are read.

    >>> importable_files().split(", ")[:2]
    ['PMML', "LightGBM's text or JSON"]
    """
    return ", ".join(each.files for each in IMPORTERS.values() if each.files)


def importable_objects() -> str:
    """What is imported from memory."""
    return ", ".join(each.objects for each in IMPORTERS.values() if each.objects)


def programs_with_files() -> str:
    """Whose files are read."""
    return ", ".join(each.program for each in IMPORTERS.values() if each.files)


def programs_run() -> str:
    """Who is run to answer the rows of a file."""
    names = [each.runs or each.program for each in IMPORTERS.values() if each.files]
    return in_short(names, "or", len(names))
