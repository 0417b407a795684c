"""`clearwood look-over`: what stands out in a table before anything is learned from it."""

from __future__ import annotations

from shlex import join
from typing import Any

from clearwood.cli.options import Data, Output, option, options
from clearwood.cli.output import answer, in_options
from clearwood.cli.sources import TableOptions


@options()
class LookOverOptions:
    """What `clearwood look-over` takes."""

    data: Data
    source: TableOptions
    time: str | None = option(
        "COLUMN", "When each row is from: find columns that change between early and late."
    )
    output: Output


def run(asked: LookOverOptions) -> None:
    """Print what stands out, the severe first."""
    from clearwood.cli.progress import working
    from clearwood.cli.sources import table_in
    from clearwood.study.data_sense.looking_over import look_over

    table = table_in(asked.data, asked.source, asked.output, keep=asked.time)
    with working("Looking"):
        found = look_over(table, time=asked.time)

    def text() -> str:
        if not found.findings:
            return str(found)
        return "\n".join(
            f"{'!' if each.severe else '·'} {in_options(each.sentence)}" for each in found.findings
        )

    def as_data() -> dict[str, Any]:
        findings = [{**each.to_json(), "sentence": in_options(each.sentence)} for each in found.findings]
        return {"rows": found.rows, "findings": findings}

    target = table.schema.target
    fit = ["clearwood", "fit", asked.data, "--target", "COLUMN" if target is None else target.name]
    answer(asked.output, text=text, data=as_data, notes=table.notes, then=join(fit))
