"""Assertions read from TOML: a table of arrays by kind, strict about every key and value."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from datetime import date, time
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from clearwood.checking.assertions import ASSERTIONS, Assertion
from clearwood.errors import SettingError, no_such


def read_assertions(path: str | os.PathLike[str]) -> tuple[Assertion, ...]:
    """Those of a file, in its order."""
    place = Path(path)
    try:
        text = place.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SettingError(f"Cannot read {place}: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise SettingError(f"{place} is not UTF-8 text. Save the assertions as UTF-8.") from None
    return parse_assertions(text, place.name)


def parse_assertions(text: str, name: str = "") -> tuple[Assertion, ...]:
    """Those of a text; what cannot be read is refused with its place.

    >>> parse_assertions('[[size]]\\nof = "leaves"\\nat_most = 12')
    (SizeWithin(of='leaves', at_least=None, at_most=12.0, name=''),)
    >>> parse_assertions('[[size]]\\nof = "leaves"\\nat_most = "9"')
    Traceback (most recent call last):
    clearwood.errors.SettingError: [[size]] 1: at_most must be a number, not '9'.
    """
    where = f"{name}: " if name else ""
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{where}this is not TOML: {error}.") from None
    made = tuple(_assertions(parsed, where))
    if not made:
        kinds = ", ".join(f"[[{kind}]]" for kind in ASSERTIONS)
        raise SettingError(f"{where}there is no assertion here. Kinds: {kinds}.")
    return made


def _assertions(parsed: Mapping[str, Any], where: str) -> Iterator[Assertion]:
    for kind, entries in parsed.items():
        if kind not in ASSERTIONS:
            raise SettingError(where + no_such("kind of assertion", kind, ASSERTIONS, plural="kinds"))
        if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
            raise SettingError(f"{where}'{kind}' must be written as [[{kind}]], with keys below it.")
        for number, entry in enumerate(entries, 1):
            yield _assertion(kind, entry, f"{where}[[{kind}]] {number}: ")


def _assertion(kind: str, entry: Mapping[str, Any], where: str) -> Assertion:
    made_of = ASSERTIONS[kind].made_of
    hints = get_type_hints(made_of)
    keys = {each.name: each for each in fields(made_of)}
    for key in entry:
        if key not in keys:
            raise SettingError(where + no_such("key", key, keys))
    for name, each in keys.items():
        if name not in entry and each.default is MISSING and each.default_factory is MISSING:
            raise SettingError(f"{where}the key '{name}' is missing.")
    values = {key: _value(hints[key], value, f"{where}{key}") for key, value in entry.items()}
    made = made_of(**values)
    try:
        made.check_keys()
    except SettingError as error:
        raise SettingError(where, error.sentence) from None
    return made


def _value(hint: Any, value: Any, where: str) -> Any:
    """The value as the key takes it; refused with its place where it cannot be."""
    kind = get_origin(hint)
    if kind in (Union, UnionType):
        hint = next(each for each in get_args(hint) if each is not NoneType)
        kind = get_origin(hint)
    if kind is Literal:
        fits, form = value in get_args(hint), f"one of {', '.join(get_args(hint))}"
    elif kind is tuple:
        fits = isinstance(value, list) and all(isinstance(each, str) for each in value)
        form = 'a list of texts, such as ["a", "b"]'
    elif hint is float:
        fits, form = _is_number(value), "a number"
    elif hint is str:
        fits, form = isinstance(value, str), "a text in quotes"
    else:
        fits, form = isinstance(value, dict), "cells by column, { age = 30, … }"
    if not fits:
        raise SettingError(f"{where} must be {form}, not {_shown(value)}.")
    if not isinstance(value, dict):
        return tuple(value) if kind is tuple else float(value) if hint is float else value
    for column, cell in value.items():
        if not isinstance(cell, str) and not _is_number(cell):
            raise SettingError(f"{where}.{column} must be a number or a text in quotes, not {_shown(cell)}.")
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def _shown(value: Any) -> str:
    """As TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    text = value.isoformat() if isinstance(value, date | time) else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
