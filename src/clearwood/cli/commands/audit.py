"""`clearwood audit`: what overlaps, conflicts or never answers in rules; where curves can go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearwood.cli.options import Output, RulePath, argument, option, options, refuse_given
from clearwood.cli.output import answer
from clearwood.cli.sources import TableOptions
from clearwood.errors import SettingError

if TYPE_CHECKING:
    from clearwood.models.kinds.additive.additive_model import AdditiveModel


@options()
class AuditOptions:
    """What `clearwood audit` takes."""

    rules: RulePath
    source: TableOptions
    data: str | None = argument(
        "[DATA]", "Rows to count; for rules as text, also the kinds of the columns.", default=None
    )
    most: int = option("N", "List at most N findings of each kind.", default=20, min=0)
    budget: int | None = option(
        "N", "Stop proving after this many steps, and list what is left unproven.", name="--steps", min=0
    )
    output: Output


def run(asked: AuditOptions) -> None:
    """Check the rules, and number them; of an additive model, check its curves."""
    from clearwood.auditing import audit
    from clearwood.auditing.auditing import BUDGET
    from clearwood.cli.rule_files import additive_in, read_rule_file
    from clearwood.models.kinds.rules.rule_text import rule_lines

    additive = additive_in(asked.rules)
    if additive is not None:
        _audit_curves(asked, additive)
        return
    file = read_rule_file(
        asked.rules, asked.source, asked.output, *([] if asked.data is None else [asked.data])
    )
    audited = audit(
        file.rules, *file.tables, most=asked.most, budget=BUDGET if asked.budget is None else asked.budget
    )
    lines = rule_lines(file.rules)

    def text() -> str:
        if asked.output.quiet:
            return str(audited)
        numbered = [f"{number:>3}  {line}" for number, line in enumerate(lines, 1)]
        return "\n".join([*numbered, "", str(audited)])

    answer(asked.output, text=text, data=lambda: {"text": lines, **audited.to_json()}, notes=file.notes)


def _audit_curves(asked: AuditOptions, model: AdditiveModel) -> None:
    """What each column can do to the score, which no rows are needed for."""
    from clearwood.auditing.curves import audit_curves

    because = f"is about rules, and {asked.rules} holds curves. Leave it out."
    refuse_given(because, asked.source.columns, asked.source.reading)
    if asked.data is not None or asked.budget is not None:
        what = "DATA" if asked.data is not None else "--steps"
        raise SettingError(f"{what} is for rules; curves are audited exactly, without rows. Leave it out.")
    audited = audit_curves(model)
    answer(asked.output, audited, notes=[])
