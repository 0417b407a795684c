"""`clearwood bias-variance`: which part of a learner's error comes of bias, and which of variance."""

from __future__ import annotations

from clearwood.cli.evaluation_options import GroupColumn, Judging, Samples
from clearwood.cli.learning import Seed, SeveralLearners, learners_or_default
from clearwood.cli.options import JUDGING, ChartPath, Data, Output, option, options
from clearwood.cli.output import answer, check_chart, note, save_chart, working
from clearwood.cli.sources import TableOptions


@options()
class BiasVarianceOptions:
    """What `clearwood bias-variance` takes."""

    data: Data
    source: TableOptions
    learners: SeveralLearners = None
    samples: Samples = 50
    part: float = option(
        "SHARE", "Hold out this part of the rows as test rows.", JUDGING, default=0.333, name="--test-part"
    )
    group: GroupColumn = None
    seed: Seed = None
    picture: ChartPath = None
    output: Output


def run(asked: BiasVarianceOptions) -> None:
    """Print the parts of each learner's error, and draw them."""
    from clearwood.study.behaviour.bias_variance import bias_variance

    check_chart(asked.picture, asked.data)
    named = learners_or_default(asked.learners)
    judging = Judging(test_part=asked.part, group=asked.group)
    table = judging.table(asked.data, asked.source, asked.output)
    judging.design(asked.seed, len(table))  # refuses a part that leaves no rows
    by_name, notes = named(table)
    note(notes, asked.output)
    with working("Learning"):
        parts = bias_variance(
            by_name, table, samples=asked.samples, part=asked.part, group=asked.group, seed=asked.seed or 0
        )
    save_chart("bias_variance", parts, place=asked.picture, output=asked.output)
    answer(
        asked.output,
        parts,
        text=lambda: "\n".join([str(parts), *parts.conclusions]),
        notes=[*table.notes, *notes],
        saved=asked.picture,
    )
