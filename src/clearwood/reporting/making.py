"""A report: a whole study in one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np

from clearwood.catalogue import default_learner, entry_of
from clearwood.deriving.deriving import derive, given_of
from clearwood.deriving.trees.deriving import derive_tree
from clearwood.draw.escaping import escape_xml
from clearwood.errors import ClearwoodError, SettingError
from clearwood.files import write_whole
from clearwood.learners.learner import Learner
from clearwood.models.kinds.kind import kind_of
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import ReadAsRules
from clearwood.models.model import Model, how_large
from clearwood.models.predicted import predicted
from clearwood.predicting.columns import table_for
from clearwood.registry import changed_settings
from clearwood.reporting.behaviour_sections import behaviour_sections
from clearwood.reporting.card_section import card_section
from clearwood.reporting.columns_used import summaries_of
from clearwood.reporting.data_section import data_section
from clearwood.reporting.decision_section import decision_section, difference_section
from clearwood.reporting.evaluation_section import evaluation_section
from clearwood.reporting.evidence_section import evidence_section
from clearwood.reporting.fairness_section import fairness_section
from clearwood.reporting.markup import name_in_sentence, paragraph
from clearwood.reporting.model_section import model_section
from clearwood.reporting.page import Page, Section, hints_of, live, page_of
from clearwood.reporting.rules_section import rules_section
from clearwood.study.behaviour.of_study import behaviours_called, with_behaviour
from clearwood.study.data_sense.looking_over import severe_findings
from clearwood.study.designs import Design, Folds, HoldOut
from clearwood.study.fairness.groups import protect, with_fairness, with_fairness_of_model
from clearwood.study.recipe import Recipe, recipe_of
from clearwood.study.study import (
    Study,
    positive_of_study,
    study_of,
    study_of_model,
    study_scores,
    with_positive,
)
from clearwood.study.verdict import ModelVerdict, study_verdict, with_leaks
from clearwood.study.verdict_words import headline, remarks
from clearwood.table import read_table
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import many
from clearwood.working.derivation import Derivation


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A page in one file, and the study it shows."""

    html: str = field(repr=False)
    study: Study

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it as .html, or as .pdf by a browser that is on this machine."""
        place = Path(path)
        match place.suffix.lower():
            case ".html" | ".htm":
                content = self.html.encode("utf-8")
            case ".pdf":
                from clearwood.reporting.on_paper import pdf_of

                content = pdf_of(self.html)
            case other:
                raise SettingError(f"Reports are saved as .html or .pdf, not as '{other}': {place}.")
        return write_whole(place, content)

    def __repr__(self) -> str:
        return f"<Report on {self.study.target}: {len(self.html.encode()) / 1000:,.0f} kB>"


def report(
    source: Any,
    *,
    target: str | None = None,
    learner: Learner[Model] | Recipe | None = None,
    model: Model | None = None,
    test_part: float | None = None,
    folds: int | None = None,
    design: Design | None = None,
    seed: int = 0,
    protected: Sequence[str] = (),
    favourable: str | None = None,
    positive: str = "",
    since: Model | None = None,
    also: Sequence[str] = (),
    title: str | None = None,
    name: str = "",
    how: str = "",
) -> Report:
    """The whole study of a table in one page: data, model, rules, evidence, evaluation, a form that predicts,
    how every number came about, and a model card.

    `source` is a Table or whatever `read_table` reads. `learner`, which may be a recipe with prunings, is C45
    unless given, or CART pruned by cross-validation where the target is a number. Or `model` is one that was
    made before, and is tested on the rows. From 100 rows on a quarter is held out, unless `test_part`,
    `folds` or a `design` say otherwise. `positive` is the class that recall, AUC and lift are about. Columns
    that are `protected` are kept from the learner, and the predictions (those of a `model` too) are compared
    by their values; `favourable` is the class that people want to get. `since` is an older model of the same
    target: a section says where the predictions changed. `also` adds sections on how the learner behaves on
    all rows: any of "learning-curve", "bias-variance" and "stability", which take as long as learning many
    times. `name` is what the table is called in the page, `how` the command that makes the page again.

    >>> import clearwood as cw
    >>> cw.report(cw.datasets.path("tennis"), target="PlayTennis", learner=cw.ID3()).study.model.leaves
    5
    """
    judging = [each for each in (test_part, folds, design) if each is not None]
    if model is not None and (learner is not None or judging or also):
        given = "give no learner, parts, folds, design or also"
        raise SettingError(f"A model that is there already is not learned again: {given}.")
    sections = behaviours_called(also)
    if len(judging) > 1:
        raise SettingError("Give one of test_part, folds and design.")
    if not name and isinstance(source, str | PathLike):
        name = Path(source).name
    if model is not None:
        study = study_of_model(model, table_for(model, source, with_target=True), name=name, how=how)
    else:
        table = source if isinstance(source, Table) and target is None else read_table(source, target=target)
        learner = default_learner(table).make() if learner is None else learner
        if not how and not isinstance(source, Table):
            settings: dict[str, Any] = {
                "target": target,
                "test_part": test_part,
                "folds": folds,
                "design": _Call(design) if design else None,
                "seed": seed or None,
                "positive": positive or None,
                "protected": list(protected) or None,
                "favourable": favourable,
                "also": list(sections) or None,
            }
            how = call_of(name or "…", recipe_of(learner), settings)
        if folds is not None:
            design = Folds(folds, seed)
        elif test_part is not None:
            design = HoldOut(test_part, seed)
        unprotected = protect(table, protected)
        study = study_of(learner, unprotected, design, seed=seed, name=name, how=how)
        study = with_behaviour(study, learner, unprotected, sections)
    if positive:
        study = with_positive(study, positive)
    if protected and model is not None:
        study = with_fairness_of_model(study, source, protected, favourable=favourable, seed=seed)
    elif protected:
        study = with_fairness(study, table, protected, favourable=favourable, seed=seed)
    return report_of(study, title, since=since)


@dataclass(frozen=True, slots=True)
class _Call:
    """Data of the public page, written as the call that makes it."""

    made: object

    def __repr__(self) -> str:
        return f"cw.{self.made!r}"


def _verdict(study: Study) -> ModelVerdict:
    """On the model, with the leaks among the rows of the study."""
    held_out = study.folds is not None or study.held_out is not None
    found = severe_findings(study.table, study.predictions if held_out else None)
    of_two = study.judged is not None and len(study.model.schema.classes) == 2
    slope = study_scores(study, only=("calibration_slope",)) if of_two else None
    return with_leaks(study_verdict(study, positive_of_study(study), slope), found)


def report_of(
    study: Study, title: str | None = None, *, since: Model | None = None, since_name: str = ""
) -> Report:
    """The page of a study; `since` is an older model, which the page calls `since_name`."""
    derivation, steps = derivation_part(study)
    tree, rows = study.model, study.learned_from
    # What the model is and answers comes first, how good it is next, and what it was made from last.
    sections: list[Section | None] = [
        verdict_section(_verdict(study)),
        model_section(study),
        Section("ask", "Ask it about a row", live("form")),
        rules_section(study),
        evidence_section(study),
        evaluation_section(study),
        decision_section(study),
        difference_section(study, since, since_name),
        fairness_section(study),
        *behaviour_sections(study),
        data_section(study),
        Section("steps", "How it came about", steps),
        card_section(study),
    ]
    # Several pages side by side must be told apart.
    of = f" in {name_in_sentence(study.name)}" if study.name else ""
    page = Page(
        title=title or f"Predicting {name_in_sentence(study.target)}{of}",
        model=study.model,
        sections=tuple(each for each in sections if each is not None),
        lead=_lead(study),
        hints=hints_of(study.table),
        summaries=summaries_of(tree, rows) if isinstance(tree, Tree) and rows is not None else (),
        derivation=derivation,
    )
    return Report(page_of(page), study)


def _lead(study: Study) -> str:
    """What it is, and of how many rows; how good it is, the verdict below it says."""
    model = study.model
    classes, rows = model.schema.classes, model.origin.rows
    if classes:
        answers = " or ".join(map(name_in_sentence, classes))
        what = f": {f'one of {len(classes)} classes' if len(classes) > 2 else answers}."
    else:
        of = "" if predicted(model) == study.target else f": {name_in_sentence(predicted(model))}"
        what = f", a number{of}."
    origin = f" of {name_in_sentence(study.name)}" if study.name and not study.saved else ""
    made = f", learned from {many(rows, 'row')}{origin}," if rows else ""
    kind = f"{kind_of(model).title} ({model.origin.title}, {how_large(model)})"
    return f"{kind}{made} predicts {name_in_sentence(study.target)}{what}"


# The call of `report` as code, by which a report that was made in Python can be made again.


def call_of(source: str, recipe: Recipe, settings: Mapping[str, Any]) -> str:
    """The call of `report` with what was given; of the learner only what differs from its defaults.

    A recipe of more than a learner is made by hand, and no one-line call makes it again: then it is empty.

    >>> from clearwood.learners.trees.c45 import C45
    >>> call_of("tennis.csv", Recipe(C45(min_rows=5)), {"target": "Play", "seed": None})
    "cw.report('tennis.csv', target='Play', learner=cw.C45(min_rows=5))"
    """
    if recipe.prunings or recipe.before or recipe.after:
        return ""
    given = [f"{name}={value!r}" for name, value in settings.items() if value is not None]
    return f"cw.report({', '.join([repr(source), *given, f'learner={_learner(recipe.learner)}'])})"


def _learner(learner: Any) -> str:
    kind = type(learner)
    if not is_dataclass(kind):
        return kind.__name__
    changed = (f"{name}={value!r}" for name, value in changed_settings(learner).items())
    return f"cw.{kind.__name__}({', '.join(changed)})"


# The verdict: the first box of a page.


def verdict_section(verdict: ModelVerdict) -> Section:
    """The headline in bold, and a line for each remark, marked as good, bad or open."""
    lines = "".join(
        f'<li class="{each.sign}" data-about="{each.about}">{escape_xml(each.sentence)}</li>'
        for each in remarks(verdict)
    )
    head = f"<p><strong>{escape_xml(headline(verdict))}</strong></p>"
    return Section("verdict", "Verdict", f'<div class="verdict">{head}<ul>{lines}</ul></div>')


# How the model came about, as much of it as a page holds.


_BRANCHES: Final = 20_000  # of all columns looked at, node by node: about two megabytes of page
_OF_A_NUMBER: Final = 6  # branches that take as much of a page as a number with its best cut
_NODES: Final = 20  # that are shown however many columns there are
_STEPS: Final = 1_500  # of what is not a tree, or of one pruning after learning

_CELLS: Final = 250_000  # of a table whose search for rules is shown
_LONG: Final = (
    "The table is large, and the search for these rules too long for a page. clearwood derive shows it."
)


def derivation_part(study: Study) -> tuple[Derivation | None, str]:
    """The derivation of the model that is shown, of a tree only of nodes that pruning left, and the HTML
    around the place where its steps will stand; without steps why there are none."""
    if study.learned_from is None:
        why = "The model was learned from other rows than these, so that its numbers cannot be counted again."
        return None, paragraph(why)
    model, rows = study.model, study.grown_on or study.learned_from
    try:
        if isinstance(model, RuleList) and _looks_long(model, rows):
            return None, paragraph(_LONG)
        if not isinstance(model, Tree):
            return _short(derive(model, rows))
        nodes = _heaviest_nodes(model)
        fresh = [each.rows for each in study.rounds]
        derivation = replace(derive_tree(model, rows, None, nodes, fresh, _STEPS), given=given_of(model))
    except ClearwoodError as error:
        return None, paragraph(f"How this model came about cannot be shown here. {error}")
    lead = "Every question of the tree, and how it was pruned, counted again from the rows."
    if len(nodes) < model.size:
        shown = f"This page shows the {len(nodes):,} with the most rows; clearwood derive shows all."
        lead = f"The tree has {many(model.size, 'node')}. {shown}"
    return derivation, paragraph(lead) + live("steps")


def _looks_long(model: RuleList, rows: Table) -> bool:
    """Is it a search that, shown cell by cell, takes longer than one waits for a page?"""
    from_tree = any(isinstance(each, ReadAsRules) for each in model.origin.after)
    entry = entry_of(model.origin.learner)
    searched = not from_tree and (entry is None or not entry.from_tree)
    return searched and len(rows) * len(rows.schema.inputs) > _CELLS


def _heaviest_nodes(tree: Tree) -> list[int]:
    """As many nodes as a page holds, those with the most rows, in their order."""
    values = [
        len(each.values) if isinstance(each, Nominal | Ordinal) else _OF_A_NUMBER
        for each in tree.schema.inputs
    ]
    order = np.argsort(-tree.weights, kind="stable")
    # The fewer the rows of a node, the fewer values are left there, and steps that stop at once become many.
    left = np.cbrt(np.maximum(tree.weights[order], 1.0))
    branches = sum((np.minimum(left, each) for each in values), np.zeros(len(order)))
    most = max(_NODES, int(np.searchsorted(branches.cumsum(), _BRANCHES, side="right")))
    heaviest: list[int] = np.sort(order[:most]).tolist()
    return heaviest


def _short(derivation: Derivation) -> tuple[Derivation, str]:
    if len(derivation) <= _STEPS:
        return derivation, live("steps")
    shown = Derivation(derivation.title, derivation.steps[:_STEPS])
    lead = f"The first {_STEPS:,} of {len(derivation):,} steps; clearwood derive shows all."
    return shown, paragraph(lead) + live("steps")
