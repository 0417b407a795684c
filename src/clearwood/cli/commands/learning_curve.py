"""`clearwood learning-curve`: how good learners are by the number of rows they learn from."""

from __future__ import annotations

from clearwood.cli.evaluation_options import Judging
from clearwood.cli.learning import Seed, SeveralLearners
from clearwood.cli.options import JUDGING, ChartPath, Data, Output, Positive, option, options
from clearwood.cli.output import answer, note
from clearwood.cli.sources import TableOptions
from clearwood.errors import SettingError


@options()
class LearningCurveOptions:
    """What `clearwood learning-curve` takes."""

    data: Data
    source: TableOptions
    learners: SeveralLearners = None
    sizes: str = option(
        "N or N,N,…", "How many numbers of rows to learn from, or the numbers.", JUDGING, default="8"
    )
    judging: Judging
    score: str | None = option("NAME", "Evaluate by this score, not by accuracy or RMSE.", JUDGING)
    positive: Positive = None
    seed: Seed = None
    picture: ChartPath = None
    output: Output


def run(asked: LearningCurveOptions) -> None:
    """Print the curves, and draw them."""
    from clearwood.cli.evaluation_options import check_judging, design_of, table_to_divide, with_usual_folds
    from clearwood.cli.learning import learners_or_default
    from clearwood.cli.progress import working
    from clearwood.cli.writing import check_chart, save_chart
    from clearwood.study.behaviour.learning_curve import learning_curve

    judging = asked.judging
    check_chart(asked.picture, asked.data)
    judging = with_usual_folds(judging, "5")
    check_judging(judging)
    chosen = _sizes(asked.sizes)
    named = learners_or_default(asked.learners)
    table = table_to_divide(asked.data, asked.source, judging, asked.output)
    design = design_of(judging, asked.seed, len(table))
    by_name, notes = named(table)
    note(notes, asked.output)
    with working("Learning"):
        curves = learning_curve(
            by_name,
            table,
            sizes=chosen,
            design=design,
            score=asked.score,
            positive=asked.positive,
            seed=asked.seed or 0,
        )
    if asked.picture is not None:
        from clearwood.draw.charts.learning_curves import learning_curve as chart  # late: not all draw

        save_chart(chart(curves), asked.picture, asked.output)
    answer(
        asked.output,
        text=lambda: str(curves),
        data=curves.to_json,
        notes=[*table.notes, *notes],
        saved=asked.picture,
    )


def _sizes(text: str) -> int | list[int]:
    """A number of sizes, or the sizes themselves.

    >>> _sizes("8"), _sizes("100,1000")
    (8, [100, 1000])
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise SettingError(f"--sizes takes a whole number, or several with commas between, not '{text}'.")
    return int(parts[0]) if len(parts) == 1 else [int(part) for part in parts]
