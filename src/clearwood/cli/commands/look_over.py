"""`clearwood look-over`: what stands out in a table before anything is learned from it."""

from __future__ import annotations

from shlex import join

from clearwood.cli.options import Data, Output, in_options, option, options
from clearwood.cli.output import answer, working
from clearwood.cli.sources import TableOptions, table_in


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
    from clearwood.study.data_sense.looking_over import look_over

    table = table_in(asked.data, asked.source, asked.output, keep=asked.time)
    with working("Looking"):
        found = look_over(table, time=asked.time)

    findings = [(each, in_options(each.sentence)) for each in found.findings]
    lines = [f"{'!' if each.severe else '·'} {sentence}" for each, sentence in findings]
    target = table.schema.target
    fit = ["clearwood", "fit", asked.data, "--target", "COLUMN" if target is None else target.name]
    answer(
        asked.output,
        text=lambda: "\n".join(lines) or str(found),
        data=lambda: {
            "rows": found.rows,
            "findings": [{**each.to_json(), "sentence": sentence} for each, sentence in findings],
        },
        notes=table.notes,
        then=join(fit),
    )
