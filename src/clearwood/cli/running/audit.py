"""What `audit` does: what is certain about a list of rules, and what a table says of it."""

from __future__ import annotations

from pathlib import Path

from clearwood.audit import audit
from clearwood.audit.auditing import BUDGET
from clearwood.cli.options import Output, Source
from clearwood.cli.output import answer
from clearwood.cli.rule_files import read_rule_file
from clearwood.models.rule_text import rule_lines


def run(
    rules: Path,
    source: Source,
    output: Output,
    *,
    data: str | None,
    most: int,
    budget: int | None,
) -> None:
    """Check the rules, and number them."""
    file = read_rule_file(rules, source, output, *([] if data is None else [data]))
    audited = audit(file.rules, *file.tables, most=most, budget=BUDGET if budget is None else budget)
    lines = rule_lines(file.rules)

    def text() -> str:
        if output.quiet:
            return str(audited)
        numbered = [f"{number:>3}  {line}" for number, line in enumerate(lines, 1)]
        return "\n".join([*numbered, "", str(audited)])

    answer(output, text=text, data=lambda: {"text": lines, **audited.to_json()}, notes=file.notes)
