"""A report: a whole study in one page."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from clearwood.errors import SettingError, SourceError
from clearwood.evaluate import ClassEvaluation
from clearwood.learners.c45 import C45
from clearwood.learners.cart import CART
from clearwood.learners.learner import Learner
from clearwood.models.model import Model, size_of
from clearwood.models.tree import Tree
from clearwood.predict.columns import table_for
from clearwood.report.card_section import card_section
from clearwood.report.data_section import data_section
from clearwood.report.evaluation_section import evaluation_section
from clearwood.report.evidence_section import evidence_section
from clearwood.report.hints import hints_of
from clearwood.report.learning import study_of, study_of_model
from clearwood.report.markup import amount, percent
from clearwood.report.model_section import model_section
from clearwood.report.page import Page, Section, live, page_of
from clearwood.report.rules_section import rules_section
from clearwood.report.study import Study
from clearwood.report.summaries import summaries_of
from clearwood.report.telling import told_of
from clearwood.table import read_table
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A page that stands alone, and the study it tells of."""

    html: str = field(repr=False)
    study: Study

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it as .html, or as .pdf by a browser that is on this machine."""
        place = Path(path)
        match place.suffix.lower():
            case ".html" | ".htm":
                content = self.html.encode("utf-8")
            case ".pdf":
                from clearwood.report.on_paper import pdf_of

                content = pdf_of(self.html)
            case other:
                raise SettingError(f"Reports are saved as .html or .pdf, not as '{other}': {place}.")
        try:
            place.write_bytes(content)
        except OSError as error:
            raise SourceError(f"Cannot write {place}: {error.strerror or error}.") from None
        return place

    def __repr__(self) -> str:
        return f"<Report on {self.study.target}: {len(self.html.encode()) / 1000:,.0f} kB>"


def report(
    source: Any,
    *,
    target: str | None = None,
    learner: Learner[Model] | None = None,
    model: Model | None = None,
    test_part: float | None = None,
    folds: int | None = None,
    seed: int = 0,
    title: str | None = None,
    name: str = "",
    how: str = "",
) -> Report:
    """The whole study of a table in one page: data, model, rules, evidence, evaluation, a form that answers,
    how every number came about, and a model card.

    `source` is a Table or whatever `read_table` reads. `learner` is C45, or CART where the target is a
    number, unless given; or `model` is one that was made before, and the rows judge it. `name` is what the
    table is called in the page, `how` the command that makes the page again.

    >>> import clearwood as cw
    >>> cw.report(cw.datasets.path("tennis"), target="PlayTennis", learner=cw.ID3()).study.model.leaves
    5
    """
    if model is not None and (learner is not None or test_part is not None or folds is not None):
        raise SettingError(
            "A model that is there already is not learned again: give no learner, parts or folds."
        )
    if test_part is not None and folds is not None:
        raise SettingError("Give test_part or folds, not both.")
    if not name and isinstance(source, str | PathLike):
        name = Path(source).name
    if model is not None:
        study = study_of_model(model, table_for(model, source, with_target=True), name=name, how=how)
    else:
        table = source if isinstance(source, Table) and target is None else read_table(source, target=target)
        study = study_of(
            default_learner(table) if learner is None else learner,
            table,
            test_part=test_part,
            folds=folds,
            seed=seed,
            name=name,
            how=how,
        )
    return report_of(study, title)


def default_learner(table: Table) -> Learner[Model]:
    """A tree of classes by C4.5, of numbers by CART."""
    return CART() if isinstance(table.schema.target, Numeric) else C45()


def report_of(study: Study, title: str | None = None) -> Report:
    """The page that tells of a study."""
    told = told_of(study)
    tree, rows = study.model, study.learned_from
    sections: list[Section | None] = [
        data_section(study),
        model_section(study),
        rules_section(study),
        evidence_section(study),
        evaluation_section(study),
        Section("ask", "Ask it about a row", live("form")),
        Section("steps", "How it came about", told.html),
        card_section(study),
    ]
    page = Page(
        title=title or f"Predicting {study.target}",
        model=study.model,
        sections=tuple(each for each in sections if each is not None),
        lead=_lead(study),
        foot="Made with Clearwood. This page asks nothing of any network.",
        hints=hints_of(study.rows),
        summaries=summaries_of(tree, rows) if isinstance(tree, Tree) and rows is not None else (),
        derivation=told.derivation,
    )
    return Report(page_of(page), study)


def _lead(study: Study) -> str:
    """What, of how many rows, and how good."""
    size, unit = size_of(study.model)
    unit = unit if size != 1 else {"leaves": "leaf"}.get(unit, unit.removesuffix("s"))
    classes = study.model.schema.classes
    what = f"which of {len(classes)} classes a row is of" if len(classes) > 1 else "the one class there is"
    what = what if classes else "a number"
    origin = f" of {study.name}" if study.name else ""
    rows = study.model.origin.rows
    made = f"learned from {rows:,} row{'' if rows == 1 else 's'}{origin}" if rows else "made by hand"
    said = (
        f"A {study.model.origin.learner} model with {size:,} {unit}, {made}, that tells "
        f"{what}: {study.target}."
    )
    found = study.judged
    if found is None:
        return f"{said} {study.unjudged}"
    unseen = "that it has not seen" if study.folds is None else "held out fold by fold"
    if isinstance(found, ClassEvaluation):
        low, high = found.interval
        return (
            f"{said} Of {amount(found.weight)} rows {unseen}, it calls {percent(found.accuracy)} right "
            f"(95 % interval {percent(low)} to {percent(high)})."
        )
    return (
        f"{said} On {amount(found.weight)} rows {unseen}, it is off by {amount(found.rmse)} "
        f"(RMSE; R² {found.r2:.3f})."
    )
