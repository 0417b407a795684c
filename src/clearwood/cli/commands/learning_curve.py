"""`clearwood learning-curve`: how good learners are by the number of rows they learn from."""

from __future__ import annotations

from clearwood.cli.evaluation_options import Judging
from clearwood.cli.learning import Seed, SeveralLearners, learners_or_default
from clearwood.cli.options import JUDGING, ChartPath, Data, Output, Positive, option, options
from clearwood.cli.output import answer, check_chart, note, save_chart, working
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
    from clearwood.study.behaviour.learning_curve import learning_curve

    check_chart(asked.picture, asked.data)
    judging = asked.judging.with_usual_folds("5")
    judging.check()
    chosen = _sizes(asked.sizes)
    named = learners_or_default(asked.learners)
    table = judging.table(asked.data, asked.source, asked.output)
    design = judging.design(asked.seed, len(table))
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
    save_chart("learning_curve", curves, place=asked.picture, output=asked.output)
    answer(asked.output, curves, notes=[*table.notes, *notes], saved=asked.picture)


def _sizes(text: str) -> int | list[int]:
    """A number of sizes, or the sizes themselves.

    >>> _sizes("8"), _sizes("100,1000")
    (8, [100, 1000])
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise SettingError(f"--sizes takes a whole number, or several with commas between, not '{text}'.")
    return int(parts[0]) if len(parts) == 1 else [int(part) for part in parts]
