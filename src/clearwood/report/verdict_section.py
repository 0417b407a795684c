"""The verdict: the first box of a page."""

from __future__ import annotations

from clearwood.draw.escaping import escape_xml
from clearwood.report.page import Section
from clearwood.study.verdict import ModelVerdict
from clearwood.study.verdict_words import headline, remarks


def verdict_section(verdict: ModelVerdict) -> Section:
    """The headline in bold, and a line for each remark, marked as good, bad or open."""
    lines = "".join(
        f'<li class="{each.sign}" data-about="{each.about}">{escape_xml(each.sentence)}</li>'
        for each in remarks(verdict)
    )
    head = f"<p><strong>{escape_xml(headline(verdict))}</strong></p>"
    return Section("verdict", "Verdict", f'<div class="verdict">{head}<ul>{lines}</ul></div>')
