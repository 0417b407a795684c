"""`check`: the verdict on each assertion about a model."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, get_args
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from clearwood.checking.assertions import ASSERTIONS, Assertion
from clearwood.checking.assertions.model_and_rows import ModelAndRows
from clearwood.checking.assertions.reading import read_assertions
from clearwood.checking.assertions.verdict import AssertionVerdict, CheckedModel, verdict_on
from clearwood.errors import ClearwoodError, Sentence, SettingError
from clearwood.models.model import Model, check_kind
from clearwood.models.space.settling import BUDGET


def check_model(
    model: Model,
    assertions: str | os.PathLike[str] | Assertion | Sequence[Assertion],
    table: Any = None,
    *,
    budget: int = BUDGET,
    strict: bool = True,
    name: str = "model",
    rows_name: str = "the table",
) -> CheckedModel:
    """Whether a model does what is asserted: each assertion with a verdict, how it was reached and, where it
    fails, rows that show it.

    `assertions` are a TOML file or assertions themselves; `table` is a Table, or anything a table can be made
    of. Of trees and lists of rules what is asserted of all rows is proved, without a table; other models are
    checked on its rows. `budget` bounds the boxes that one proof looks at. An assertion that cannot be
    checked, such as the leaves of rules, is an error; with `strict=False` its verdict is open and says why,
    and the others are checked.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> overcast = cw.RegionGets(when="Outlook = Overcast", answer="Yes")
    >>> checked = cw.check(cw.ID3().learn(table), [overcast, cw.NeverAsks(column="Wind")])
    >>> [(verdict.word, verdict.because) for verdict in checked.verdicts]
    [('holds', ''), ('fails', 'it uses Wind in 1 split')]
    """
    check_kind("check", model)
    if budget < 1:
        raise SettingError("budget must be 1 or more.")
    given = ModelAndRows(model, table, rows_name, budget)
    verdicts: list[AssertionVerdict] = []
    counted: Counter[str] = Counter()
    for each in _as_assertions(assertions):
        kind = f"[[{each.kind}]]"  # as a file calls it
        counted[kind] += 1
        try:
            each.check_keys()
        except SettingError as error:  # of an assertion that asserts nothing there is no verdict
            raise SettingError(f"{each.name or kind}: ", error.sentence) from None
        try:
            verdicts.append(ASSERTIONS[each.kind].check(each, given))
        except ClearwoodError as error:
            if strict:
                # The same error, with the assertion that it is about.
                raise type(error)(f"{each.name or kind}: ", error.sentence, place=error.place) from error
            why = Sentence(f"{kind} {counted[kind]}: ", error.sentence)
            verdicts.append(verdict_on(each, None, False, "not checked", why))
    return CheckedModel(name, tuple(verdicts))


def _as_assertions(given: str | os.PathLike[str] | Assertion | Sequence[Assertion]) -> tuple[Assertion, ...]:
    if isinstance(given, str | os.PathLike):
        return read_assertions(Path(given))
    several: Any = (given,) if isinstance(given, get_args(Assertion)) else given
    if isinstance(several, Mapping) or not all(isinstance(each, get_args(Assertion)) for each in several):
        names = ", ".join(each.made_of.__name__ for each in ASSERTIONS.values())
        raise SettingError(f"Assertions are a TOML file, or some of: {names}.")
    return tuple(several)


# Verdicts as JUnit's XML, which servers of continuous integration read: a test case per assertion.


# XML 1.0 has no way to write these, not even as references.
_UNWRITABLE: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(checked: CheckedModel) -> str:
    """The file's whole text. An assertion that fails is a failure; one that is open is an error."""
    failures = sum(each.holds is False for each in checked.verdicts)
    errors = sum(each.holds is None for each in checked.verdicts)
    counts = {"tests": str(len(checked.verdicts)), "failures": str(failures), "errors": str(errors)}
    suites = Element("testsuites", {"name": "clearwood check", **counts})
    suite = SubElement(suites, "testsuite", {"name": _clean(checked.model), "skipped": "0", **counts})
    for verdict in checked.verdicts:
        case = SubElement(
            suite, "testcase", {"classname": f"clearwood.{verdict.kind}", "name": _clean(verdict.title)}
        )
        if verdict.holds:
            SubElement(case, "system-out").text = _clean(_text(verdict))
        else:
            kind = "error" if verdict.holds is None else "failure"
            shown = SubElement(
                case, kind, {"type": verdict.kind, "message": _clean(verdict.because or verdict.how)}
            )
            shown.text = _clean(_text(verdict))
    indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(suites, encoding="unicode")}\n'


def _text(verdict: AssertionVerdict) -> str:
    lines = [f"{verdict.title}: {verdict.word}", verdict.how, *([verdict.because] if verdict.because else [])]
    for each in verdict.rows:
        cells = ", ".join(
            f"{name} = {'(missing)' if cell is None else cell}" for name, cell in each.row.items()
        )
        lines.append(f"{cells} → {each.gets}")
    return "\n".join(lines)


def _clean(text: str) -> str:
    return _UNWRITABLE.sub("�", text)
