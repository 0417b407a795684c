"""What `audit` does: what is certain about rules or curves, and what a table says of rules."""

from __future__ import annotations

from pathlib import Path

from clearwood.audit import audit
from clearwood.audit.auditing import BUDGET
from clearwood.audit.curves import audit_curves
from clearwood.cli.grouped import refuse_given
from clearwood.cli.options import Output
from clearwood.cli.output import answer
from clearwood.cli.rule_files import additive_in, read_rule_file
from clearwood.cli.source_options import Source
from clearwood.errors import SettingError
from clearwood.models.additive_model import AdditiveModel
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
    """Check the rules, and number them; of an additive model, check its curves."""
    additive = additive_in(rules)
    if additive is not None:
        _audit_curves(rules, additive, source, output, data=data, budget=budget)
        return
    file = read_rule_file(rules, source, output, *([] if data is None else [data]))
    audited = audit(file.rules, *file.tables, most=most, budget=BUDGET if budget is None else budget)
    lines = rule_lines(file.rules)

    def text() -> str:
        if output.quiet:
            return str(audited)
        numbered = [f"{number:>3}  {line}" for number, line in enumerate(lines, 1)]
        return "\n".join([*numbered, "", str(audited)])

    answer(output, text=text, data=lambda: {"text": lines, **audited.to_json()}, notes=file.notes)


def _audit_curves(
    place: Path, model: AdditiveModel, source: Source, output: Output, *, data: str | None, budget: int | None
) -> None:
    """What each column can do to the score, which no rows are needed for."""
    refuse_given(f"is about rules, and {place} holds curves. Leave it out.", source.columns, source.reading)
    if data is not None or budget is not None:
        what = "DATA" if data is not None else "--steps"
        raise SettingError(f"{what} is for rules; curves are audited exactly, without rows. Leave it out.")
    audited = audit_curves(model)
    answer(output, text=lambda: str(audited), data=audited.to_json, notes=[])
