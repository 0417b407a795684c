"""What `look-over` does: the findings of a table, with the ways out as options."""

from __future__ import annotations

from typing import Any

from clearwood.cli.advice import in_options
from clearwood.cli.options import Output
from clearwood.cli.output import answer
from clearwood.cli.progress import working
from clearwood.cli.source_options import Source
from clearwood.cli.sources import table_in
from clearwood.study.data_sense.looking_over import look_over


def run(data: str, source: Source, output: Output, *, time: str | None) -> None:
    """Print what stands out, the severe first."""
    table = table_in(data, source, output, keep=time)
    with working("Looking"):
        found = look_over(table, time=time)

    def text() -> str:
        if not found.findings:
            return str(found)
        return "\n".join(
            f"{'!' if each.severe else '·'} {in_options(each.sentence)}" for each in found.findings
        )

    def as_data() -> dict[str, Any]:
        findings = [{**each.to_json(), "sentence": in_options(each.sentence)} for each in found.findings]
        return {"rows": found.rows, "findings": findings}

    answer(output, text=text, data=as_data, notes=table.notes)
