"""What `report` does before the page is written: read, then learn and judge, or judge what was saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from clearwood.cli.fitting import Judging, need_target
from clearwood.cli.pruning import pruning_of
from clearwood.cli.reading import coded_for, load_model
from clearwood.cli.recipe import recipe_of
from clearwood.cli.speaking import as_options
from clearwood.errors import SettingError
from clearwood.study.judging import study_of, study_of_model
from clearwood.study.recipe import ENOUGH_TO_PRUNE
from clearwood.study.study import Study
from clearwood.table import read_table
from clearwood.table.attributes import Numeric
from clearwood.table.sources import read_raw

_FORMS: Final = (".html", ".htm", ".pdf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the options ask for."""

    data: str
    model: Path | None
    learner: str | None
    settings: Sequence[str] | None
    prune: Sequence[str] | None
    test_part: float | None
    folds: int | None
    seed: int | None
    how: str


def check_form(out: Path) -> None:
    """Refuse at once a name that promises what is not written, or a PDF that nothing here can print."""
    if out.suffix.lower() not in _FORMS:
        raise SettingError(f"A report is an .html or a .pdf file, and {out} is neither.")
    if out.suffix.lower() == ".pdf":
        from clearwood.report.on_paper import need_browser

        need_browser()


def study_for(wanted: Wanted, columns: Mapping[str, Any], written: Mapping[str, Any]) -> Study:
    """The study that the options describe."""
    name = Path(wanted.data).name
    if wanted.model is not None:
        _check_saved(wanted, columns)
        model = load_model(wanted.model)
        rows = coded_for(model, read_raw(wanted.data, **written))
        return study_of_model(model, rows, name=name, how=wanted.how)
    judging = Judging(wanted.test_part, wanted.folds, wanted.seed or 0)
    table = read_table(wanted.data, **columns, **written)
    need_target(table)
    table = replace(table, notes=tuple(as_options(table.notes)), checked=True)
    usual, settings = "c45", wanted.settings
    if wanted.learner is None and isinstance(table.schema.target, Numeric):
        usual = "cart"
        settings = settings or (["alpha=cv"] if len(table) >= ENOUGH_TO_PRUNE else None)
    prunings = [pruning_of(each) for each in wanted.prune or ()]
    recipe = recipe_of(wanted.learner or usual, settings, prunings, wanted.seed)
    judged = wanted.test_part is not None or wanted.folds is not None
    design = judging.design(len(table)) if judged else None
    return study_of(recipe, table, design, seed=judging.seed, name=name, how=wanted.how)


def _check_saved(wanted: Wanted, columns: Mapping[str, Any]) -> None:
    given = {
        "--learner": wanted.learner,
        "--set": wanted.settings,
        "--prune": wanted.prune,
        "--test-part": wanted.test_part,
        "--cross-validate": wanted.folds,
        "--target": columns["target"],
        "--kind": columns["kinds"],
        "--order": columns["ordered"],
        "--schema": columns["schema"],
    }
    for option, value in given.items():
        if value:
            raise SettingError(
                f"{option} is for learning, and --model brings a model that has learned. Leave it out."
            )
