"""Verdicts as JUnit's XML, which servers of continuous integration read: a test case per assertion."""

from __future__ import annotations

import re
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from clearwood.checking.assertions.verdict import AssertionVerdict, CheckedModel

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
