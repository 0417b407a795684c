"""`clearwood bias-variance`: which part of a learner's error comes of bias, and which of variance."""

from __future__ import annotations

from clearwood.cli.evaluation_options import GroupColumn, Judging, Samples
from clearwood.cli.learning import Seed, SeveralLearners
from clearwood.cli.options import JUDGING, ChartPath, Data, Output, option, options
from clearwood.cli.output import answer, note
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
    from clearwood.cli.evaluation_options import design_of, table_to_divide
    from clearwood.cli.learning import learners_or_default
    from clearwood.cli.progress import working
    from clearwood.cli.writing import check_chart, save_chart
    from clearwood.study.behaviour.bias_variance import bias_variance

    check_chart(asked.picture, asked.data)
    named = learners_or_default(asked.learners)
    judging = Judging(test_part=asked.part, group=asked.group)
    table = table_to_divide(asked.data, asked.source, judging, asked.output)
    design_of(judging, asked.seed, len(table))  # refuses a part that leaves no rows
    by_name, notes = named(table)
    note(notes, asked.output)
    with working("Learning"):
        parts = bias_variance(
            by_name, table, samples=asked.samples, part=asked.part, group=asked.group, seed=asked.seed or 0
        )
    if asked.picture is not None:
        from clearwood.draw.charts.comparison import bias_variance as chart  # late: not all draw

        save_chart(chart(parts), asked.picture, asked.output)
    answer(
        asked.output,
        text=lambda: "\n".join([str(parts), *parts.conclusions]),
        data=parts.to_json,
        notes=[*table.notes, *notes],
        saved=asked.picture,
    )
