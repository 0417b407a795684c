"""`clearwood derive`: how every number came about, from the table to the model, or for one answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clearwood.catalogue import LEARNERS
from clearwood.cli.learning import (
    Learning,
    ModelOrLearner,
    Seed,
    Settings,
    learners_by_text,
    notes_on_learning,
    recipe_maker,
    refuse_learning,
    usual_and_other,
)
from clearwood.cli.options import (
    LEARNING,
    WORKSHEETS,
    DetailOption,
    Output,
    RelativeTo,
    RowOption,
    argument,
    flag,
    option,
    options,
    refuse_given,
)
from clearwood.cli.output import answer, as_options, check_place, note, print_json, text_file, working
from clearwood.cli.settings import literal_choice
from clearwood.cli.sources import TableOptions, load_model, rows_for, table_to_learn
from clearwood.errors import SettingError
from clearwood.study.designs import TrainingRows

if TYPE_CHECKING:
    from clearwood.draw.derivations.sheets import Detail
    from clearwood.draw.derivations.writing import Format
    from clearwood.models.model import Model
    from clearwood.table.table import Table

_ENDINGS: Final[dict[str, Format]] = {
    ".txt": "text",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
    ".qmd": "pandoc",
}

_LAYOUT: Final = "How to write it"


@options()
class DerivationLayout:
    """How the derivation is written."""

    detail: DetailOption = None
    chapter: str | None = option("NAME", "Only this chapter: Growing, Pruning, …", WORKSHEETS)
    no_intervals: bool = flag("Leave out the intervals of probabilities.", WORKSHEETS)
    answers: bool = flag("The key to the worksheet.", WORKSHEETS)
    format: str | None = option(
        "NAME", "text, markdown, pandoc, latex or html (by the ending of -o).", _LAYOUT, short="-f"
    )
    fragment: bool = flag("LaTeX or HTML to include in a document.", _LAYOUT)
    digits: int | None = option("N", "Significant digits (4).", _LAYOUT, min=1, max=17)
    file: Path | None = option("FILE", "Write it here.", _LAYOUT, name="--output", short="-o")


@options()
class ModelOrLearners:
    """A saved model, the learner that makes one, or learners of trees to compare."""

    model: Path | None = option("MODEL", "A saved model, instead of learning one.", LEARNING, short="-m")
    learners: list[str] | None = option(
        "NAME", usual_and_other(LEARNERS), LEARNING, name="--learner", short="-l", among=LEARNERS
    )
    settings: Settings = None
    seed: Seed = None

    @property
    def single(self) -> ModelOrLearner:
        """With at most one learner."""
        learner = self.learners[0] if self.learners else None
        return ModelOrLearner(
            model=self.model, learning=Learning(learner=learner, settings=self.settings, seed=self.seed)
        )


@options()
class OneDerivation:
    """What one derivation is of, and how much of it is shown."""

    at: str | None = option("CONDITION,…", "One node of a tree: 'Wind = Weak'.")
    row: RowOption = None
    relative_to: RelativeTo = None
    allow_unseen: bool = flag("Accept unseen values in --row.")
    all_rows: bool = flag("Print long tables in full.")


@options()
class DeriveOptions:
    """What `clearwood derive` takes."""

    source: TableOptions
    chosen: ModelOrLearners
    layout: DerivationLayout
    data: str | None = argument(
        "DATA", "The table learned from; not needed for --model --row.", default=None, show_default=False
    )
    compare: bool = flag("Where the trees of several -l differ.")
    one: OneDerivation
    output: Output


def run(asked: DeriveOptions) -> None:
    """The derivation of a model, or of one answer; or where the trees of several learners part."""
    from clearwood.cli.rows import check_values, reference_in, row_given
    from clearwood.deriving.as_json import derivation_to_json
    from clearwood.deriving.deriving import derive
    from clearwood.models.kinds.linear.linear_model import LinearModel
    from clearwood.models.model import model_in_words
    from clearwood.working.derivation import MOST_ROWS

    one = asked.one
    if asked.compare:
        _compare(asked)
        return
    if asked.chosen.learners and len(asked.chosen.learners) > 1:
        raise SettingError(
            f"{len(asked.chosen.learners)} learners are given, and a derivation is of one. To see where "
            "their trees part, add --compare."
        )
    if asked.output.as_json:
        refuse_given("is about layout, but --json writes data. Leave one of them out.", asked.layout)
    write = _writer(asked.layout)
    check_place(asked.layout.file, asked.data)
    model, table, notes = _model_and_table(asked.data, asked.source, asked.chosen.single, asked.output)
    cells = row_given(one.row, model) if one.row else None
    if cells is None and one.allow_unseen:
        raise SettingError("--allow-unseen is about the values in --row, but no row is given. Leave it out.")
    if cells is not None and not one.allow_unseen:
        way_out = " If it is meant to be one the model has never seen, add --allow-unseen."
        check_values(cells, model, way_out)
    if one.relative_to is not None and (cells is None or not isinstance(model, LinearModel)):
        raise SettingError(
            "--relative-to is what the cells of --row are compared with in a linear model, but "
            f"{'no row is given' if cells is None else f'this is {model_in_words(model)}'}. Leave it out."
        )
    derivation = derive(model, table, at=one.at, row=cells, against=reference_in(one.relative_to, model))
    most_rows = None if one.all_rows else MOST_ROWS
    if asked.output.as_json:
        print_json({**derivation_to_json(derivation, most_rows=most_rows), "notes": as_options(notes)})
        return
    with text_file(asked.layout.file) as file:
        file.write(write(derivation, most_rows=most_rows))


def _writer(layout: DerivationLayout) -> Callable[..., str]:
    """What writes a derivation as the options say, or a sentence, before any work."""
    from clearwood.cli.drawing import page_width
    from clearwood.draw.derivations import write_derivation
    from clearwood.draw.derivations.sheet import DIGITS
    from clearwood.draw.derivations.sheets import Detail
    from clearwood.draw.derivations.writing import Format

    if layout.answers and layout.detail not in (None, "worksheet"):
        raise SettingError(f"--answers is the key to a worksheet, not to --detail {layout.detail}.")
    chosen: Format = literal_choice("format", layout.format or _by_ending(layout.file), Format)
    usual = "worksheet" if layout.answers else "full"
    detail: Detail = literal_choice("detail", layout.detail or usual, Detail)
    document = chosen in ("latex", "html")
    if layout.fragment and not document:
        raise SettingError(f"--fragment is for latex and html; {chosen} needs no document around it.")
    if layout.chapter is not None and detail != "worksheet":
        raise SettingError("--chapter selects a chapter of a worksheet: give --detail worksheet with it.")
    return partial(
        write_derivation,
        format=chosen,
        detail=detail,
        answers=layout.answers,
        digits=layout.digits or DIGITS,
        width=page_width(),
        standalone=document and not layout.fragment,
        intervals=not layout.no_intervals,
        chapter=layout.chapter,
    )


def _model_and_table(
    data: str | None, source: TableOptions, chosen: ModelOrLearner, output: Output
) -> tuple[Model, Table | None, list[str]]:
    """The model, the table that it was learned from, if one was named, and the notes on both."""

    if chosen.model is not None:
        refuse_learning(chosen, replace(source.columns, schema=None))
        loaded = load_model(chosen.model, source.columns.schema)
        if data is None:
            refuse_given("is about DATA, but none is given. Leave it out.", source.reading)
            return loaded, None, []
        table = rows_for(loaded, data, source.reading, output)
        return loaded, table, list(table.notes)
    if data is None:
        raise SettingError("Name a table to learn from, or a model: --model MODEL.")
    recipe_for = recipe_maker(chosen.learning)
    table = table_to_learn(data, source, output)
    recipe = recipe_for(table)
    notes = notes_on_learning(chosen.learning, recipe, TrainingRows())
    note(notes, output)
    with working("Learning"):
        return recipe.learn(table), table, [*table.notes, *notes]


def _by_ending(file: Path | None) -> str:
    if file is None:
        return "text"
    ending = file.suffix.lower()
    if ending not in _ENDINGS:
        raise SettingError(
            f"How should {file} be written? End it in {', '.join(_ENDINGS)}, or give --format."
        )
    return _ENDINGS[ending]


def _compare(asked: DeriveOptions) -> None:
    """The first place where the learners part, and the numbers that decided."""
    from clearwood.deriving.tree_comparison import compare_trees

    because = "is about one derivation, but --compare puts several learners side by side. Leave it out."
    refuse_given(because, asked.layout, asked.one)
    if asked.chosen.model is not None:
        raise SettingError("--compare grows each tree from the table, but --model gives one. Leave it out.")
    for name, given in (("--set", asked.chosen.settings), ("--seed", asked.chosen.seed)):
        if given not in (None, []):
            raise SettingError(
                f"{name} does not say which of the learners it is for. Give settings with the learner: "
                "-l cart:alpha=0.05."
            )
    if asked.data is None:
        raise SettingError("--compare needs the table that the learners learn from: clearwood derive DATA.")
    named: Any = learners_by_text(asked.chosen.learners) if asked.chosen.learners else None
    table = table_to_learn(asked.data, asked.source, asked.output)
    with working("Learning"):
        comparison = compare_trees(table, named)
    text = str(comparison).rstrip("\n")
    answer(asked.output, comparison, text=lambda: text, notes=[*table.notes, *comparison.notes])
