"""Spellings: values that a person would take for one, such as Y and y, or M and male."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.study.data_sense.finding import Finding
from clearwood.study.data_sense.leaks import ColumnSkill
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.read_as import number_in
from clearwood.table.table import Table
from clearwood.words.numbers import percent_to

_BETWEEN: Final = re.compile(r"(?<=\w)[\s_\-]+(?=\w)")
_FEW: Final = 12  # values among which a letter stands for a word
_NAMED: Final = 4  # in a sentence


def spellings(table: Table, skills: Mapping[str, ColumnSkill]) -> list[Finding]:
    """The columns, the target among them, in which values differ only in case, blanks or marks, or of which
    one is the first letter of the other."""
    target = table.schema.target
    found = []
    for attribute in (*table.schema.inputs, *(() if target is None else (target,))):
        if not isinstance(attribute, Nominal | Ordinal) or attribute.name not in table.columns:
            continue
        column = table.columns[attribute.name]
        counts = np.bincount(column[column >= 0], minlength=len(attribute.values))
        rows = {
            value: int(count) for value, count in zip(attribute.values, counts.tolist(), strict=True) if count
        }
        merged = same_values(rows)
        if not merged:
            continue
        part = sum(rows[value] for value in merged) / len(table)
        listed = [f"'{old}' and '{new}'" for old, new in merged.items()]
        more = ", …" if len(listed) > _NAMED else ""
        sentence = Sentence(
            f"Column '{attribute.name}' has values that look like one: {', '.join(listed[:_NAMED])}{more} "
            f"({percent_to(part, 1)} of the rows). If they are: ",
            Advice("recode", {attribute.name: merged}),
            ".",
        )
        is_target = attribute is target
        skill = skills[attribute.name].auc - 0.5 if attribute.name in skills else 0.0
        harm = 1.0 if is_target else min(part, 0.5) * (0.5 + max(skill, 0.0))
        found.append(
            Finding(
                "spelling",
                (attribute.name,),
                sentence,
                is_target,
                {"values": len(merged), "part": part},
                harm,
            )
        )
    return found


def same_values(rows: Mapping[str, int]) -> dict[str, str]:
    """By value the one that it should be written as: the commonest of its spellings, or the word that it is
    the first letter of.

    >>> same_values({"Y": 5, "y": 2, "no": 4})
    {'y': 'Y'}
    >>> same_values({"M": 5, "male": 2, "female": 9, "F": 1, "Male": 1})
    {'Male': 'male', 'M': 'male', 'F': 'female'}
    """
    groups: dict[str, list[str]] = {}
    for value in rows:
        groups.setdefault(_plain(value), []).append(value)
    merged: dict[str, str] = {}
    chosen: dict[str, str] = {}
    for plain, values in groups.items():
        best = max(values, key=lambda value: (rows[value], value == value.strip(), value))
        chosen[plain] = best
        merged |= {value: best for value in values if value != best}
    if len(groups) <= _FEW:
        for letter in [plain for plain in groups if len(plain) == 1 and plain.isalpha()]:
            words = [each for each in groups if _is_word(each) and each.startswith(letter)]
            if len(words) == 1:
                merged |= dict.fromkeys(groups[letter], chosen[words[0]])
    return merged


def _is_word(plain: str) -> bool:
    return plain.isalpha() and (len(plain) > 2 or plain == "no")


def _plain(value: str) -> str:
    if number_in(value) is not None:
        return value
    plain = _BETWEEN.sub(" ", value.casefold().strip()).rstrip(".")
    return plain or value
