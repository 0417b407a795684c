"""`clearwood fit`: from a table to a model, shown, measured and saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clearwood.catalogue import learner_called
from clearwood.cli.evaluation_options import (
    Decisions,
    Judge,
    Judging,
    PredictionsFile,
    Protecting,
    check_named_class,
    check_predictions,
)
from clearwood.cli.learning import Keep, Learning, TrainingOptions, check_keep, notes_on_learning
from clearwood.cli.options import Data, Output, Rules, Save, in_options, options
from clearwood.cli.output import answer, check_place, next_with_model, note
from clearwood.cli.output import learning as learning_shown
from clearwood.cli.sources import TableOptions, model_as_json, save_model
from clearwood.errors import SettingError
from clearwood.files import write_whole
from clearwood.study.designs import TrainingRows
from clearwood.words.columns import display_width, wrapped
from clearwood.words.numbers import count_words

if TYPE_CHECKING:
    from clearwood.models.lineage import Selected
    from clearwood.scoring.evaluation import Evaluation
    from clearwood.scoring.scores import Scores
    from clearwood.study.study import Study
    from clearwood.study.verdict import ModelVerdict
    from clearwood.table.table import Table

_INDENT: Final = " " * len("held out  ")


@options()
class FitOptions:
    """What `clearwood fit` takes."""

    data: Data
    source: TableOptions
    learning: Learning
    decisions: Decisions
    protecting: Protecting
    judging: Judging
    training: TrainingOptions
    keep: Keep = False
    save: Save = None
    rules: Rules = False
    predictions: PredictionsFile = None
    judge: Judge = True
    output: Output


def run(asked: FitOptions) -> None:
    """From a table to a model, shown, measured and saved."""
    from clearwood.study.data_sense.looking_over import severe_findings
    from clearwood.study.dividing import rows_to_learn
    from clearwood.study.scores import predictions_csv
    from clearwood.study.study import short_scores, study_judged_quickly, study_of
    from clearwood.study.verdict import study_verdict, with_leaks

    asked.judging.check()
    if asked.keep:
        check_keep(asked.learning, asked.judging)
    recipe_for, positive = asked.training.recipe_maker(asked.learning, asked.decisions)
    check_place(asked.save, asked.data)
    if asked.predictions is not None:
        check_predictions(asked.predictions, asked.data, asked.judging)
    whole = asked.judging.table(asked.data, asked.source, asked.output)
    table = whole
    if asked.protecting.names:
        from clearwood.study.fairness.groups import protect  # late: few ask for it

        table = protect(whole, asked.protecting.names)
    recipe = recipe_for(table)
    if asked.rules:
        _check_rules(asked.learning, table, asked.save)
    if positive is not None:
        check_named_class(positive, table)
    seed = asked.learning.seed or 0
    wanted = asked.judging.design(asked.learning.seed, len(table)) or (
        None if asked.judge else TrainingRows(seed)
    )
    if not asked.judge and not isinstance(wanted, TrainingRows):
        raise SettingError(
            "--no-judge evaluates nothing. Leave it out, or the option that says how to evaluate."
        )
    with learning_shown("Learning", keep=asked.keep):
        study = (
            study_judged_quickly(recipe, table, seed=seed)
            if wanted is None
            else study_of(recipe, table, wanted)
        )
        study = replace(study, positive=positive or "")
        if asked.protecting.names:
            from clearwood.study.fairness.groups import with_fairness

            study = with_fairness(
                study, whole, asked.protecting.names, favourable=asked.protecting.favourable
            )
    design = wanted or TrainingRows(seed)  # what was asked for; what is judged by default needs no notes
    # Where no row judges, the text has no scores: only JSON has those of the training rows.
    scores = short_scores(study) if asked.output.as_json or study.judged is not None else None
    held_out = None if study.judged is None else study.predictions
    found = severe_findings(rows_to_learn(design, table), held_out)
    verdict = with_leaks(study_verdict(study, "" if scores is None else scores.positive), found)
    others = [each.sentence for each in found if each.kind != "leak"]
    notes = [*others, *notes_on_learning(asked.learning, recipe, design), *_notes_on(study)]
    note(notes, asked.output)
    save_model(study.model, asked.save)
    if asked.predictions is not None:
        write_whole(asked.predictions, predictions_csv(study.predictions).encode("utf-8"))
    answer(
        asked.output,
        text=lambda: _to_text(
            study,
            scores,
            verdict,
            with_model=not asked.output.quiet,
            with_rules=asked.rules,
            quickly=wanted is None,
        ),
        data=lambda: _to_json(study, scores, verdict, with_rules=asked.rules),
        notes=[*table.notes, *verdict.leaks, *notes],
        saved=asked.save,
        then=next_with_model(asked.save, asked.data),
    )


def _check_rules(learning: Learning, table: Table, save: Path | None) -> None:
    """Refuse to print the rules of what has none, before it is learned."""
    from clearwood.table.attributes import Numeric

    named = learning.learner  # where none is named, it is a tree
    if named is None or learner_called(named).makes in ("tree", "rules"):
        return
    from clearwood.cli.rule_files import way_to_rules  # late: only a refusal needs it

    way = way_to_rules(save or "MODEL", numeric=isinstance(table.schema.target, Numeric))
    unsaved = "" if save else " (MODEL: what --save writes)"
    raise SettingError(f"--rules is for trees and rules, but {named} learns none. {way[:-1]}{unsaved}.")


def _notes_on(study: Study) -> tuple[str, ...]:
    """What was done on the user's behalf, and whether the learning was interrupted."""
    from clearwood.models.in_words import lineage_lines
    from clearwood.models.lineage import EndedEarly

    after = study.model.origin.after
    notes = tuple(
        lineage_lines(
            [each for each in after if isinstance(each, EndedEarly) and each.because == "interrupted"]
        )
    )
    if study.pruning is None or study.training is None:
        return notes
    part = "by weight " if _weighted(study) else "of the rows "
    return (
        *notes,
        f"A third {part}was kept back from learning, to prune with: {count_words(study.pruning.weight)}"
        f" of {count_words(study.training.weight + study.pruning.weight)}.",
    )


def _to_text(
    study: Study,
    judged: Scores | None,
    verdict: ModelVerdict,
    *,
    with_model: bool,
    with_rules: bool,
    quickly: bool,
) -> str:
    """The verdict, the model, what was cut from it, and how good it is, for a person."""
    from clearwood.cli.drawing import PAGE, drawn_to_fit, page_width, rules_in
    from clearwood.models.kinds.tree.tree import Tree
    from clearwood.study.verdict_words import model_verdict_lines

    model, lines = study.model, [*model_verdict_lines(verdict, min(PAGE, page_width()), in_options), ""]
    if with_model:
        lines += [*drawn_to_fit(model, study.positive or None), ""]
    if with_rules and (isinstance(model, Tree) or not with_model):
        from clearwood.draw.rules import draw_rules  # late: a tree alone does not need it

        lines += [draw_rules(rules_in(model)), ""]
    lines += [f"selected  {', '.join(done.columns) or 'no column'}" for done in _selected(study)]
    lines += [str(ledger).splitlines()[0] for ledger in study.ledgers]
    lines += _judged_lines(study, judged, quickly=quickly)
    if study.fairness is not None:
        lines += ["", str(study.fairness)]
    return "\n".join(lines)


def _judged_lines(study: Study, judged: Scores | None, *, quickly: bool) -> list[str]:
    """How good it is: on rows that it has not seen, beside the baseline, and on those it was learned from."""
    from clearwood.cli.drawing import PAGE
    from clearwood.study.known_rows import also_chosen
    from clearwood.study.scores import phrase, phrase_of_folds
    from clearwood.study.study import baseline_phrase, lines_of_classes

    weighted = _weighted(study)
    clauses = {"training": also_chosen(study.chosen), "pruning ": "these rows chose the pruning"}
    grouped = _grouped(study)
    cutoff = study.model.decision.cutoff
    found = "" if cutoff is None else cutoff.positive

    def line(name: str, score: Evaluation) -> str:
        seen = name in clauses
        figures = phrase(score, weighted=weighted, with_interval=not (seen and grouped), found=found)
        said = "; ".join(filter(None, [f"{name}  {figures}", clauses.get(name, "")]))
        first, *more = wrapped(said, PAGE - len(_INDENT)) if display_width(said) > PAGE else [said]
        return "\n".join([first, *(f"{_INDENT}{each.strip()}" for each in more)])

    lines = []
    if study.folds is not None:
        # Unasked, what was counted, as the verdict has it. Of folds that were asked for, with their error.
        counted = quickly or len(study.folds.folds) == 1
        folds = study.folds
        lines.append(
            line("held out", folds.together) if counted else f"held out  {phrase_of_folds(folds, found)}"
        )
    elif study.judged is not None:
        lines.append(line("held out" if study.out_of_bag is None else "unseen  ", study.judged))
    known = {"training": study.training, "pruning ": study.pruning}
    seen = [line(name, score) for name, score in known.items() if score is not None]
    if judged is None or not lines:
        return [*lines, *seen]
    # The baseline stands below the line that it is compared with, and what explains that line below both.
    constant = baseline_phrase(judged)
    baseline = [f"baseline  {constant}"] if constant else []
    return [*lines, *baseline, *(f"{_INDENT}{each}" for each in lines_of_classes(judged)), *seen]


def _to_json(
    study: Study, judged: Scores | None, verdict: ModelVerdict, *, with_rules: bool = False
) -> dict[str, Any]:
    """The same, for machines."""
    from clearwood.cli.drawing import rules_in
    from clearwood.draw.rules import draw_rules
    from clearwood.models.kinds.additive.additive_model import AdditiveModel
    from clearwood.models.kinds.tree.tree import Tree
    from clearwood.models.model import size_of
    from clearwood.study.scores import evaluation_to_json, folds_to_json

    model = study.model
    size, unit = size_of(model)
    sized = {unit: size}
    if isinstance(model, AdditiveModel):
        sized = {"curves": len(model.shapes), "pairs": len(model.pairs)}
    held_out = study.judged if study.folds is None else None
    seen = {"with_intervals": not _grouped(study)}
    return {
        "verdict": verdict.to_json(),
        "learner": model.origin.learner,
        **sized,
        **({"nodes": model.size, "depth": model.depth} if isinstance(model, Tree) else {}),
        "selected": next((list(done.columns) for done in _selected(study)), None),
        "training": None if study.training is None else evaluation_to_json(study.training, **seen),
        "training_chose": study.chosen,
        "pruning": None if study.pruning is None else evaluation_to_json(study.pruning, **seen),
        "held_out": None if held_out is None else evaluation_to_json(held_out),
        "cross_validation": None if study.folds is None else folds_to_json(study.folds),
        **({} if study.fairness is None else {"fairness": study.fairness.to_json()}),
        "scores": None if judged is None else judged.to_json(),
        "pruned": [ledger.to_json() for ledger in study.ledgers],
        "model": model_as_json(model),
        **({"rules": draw_rules(rules_in(model)).splitlines()} if with_rules else {}),
    }


def _selected(study: Study) -> list[Selected]:
    """Which columns the model was learned from, where they were selected."""
    from clearwood.models.lineage import Selected

    return [done for done in study.model.origin.after if isinstance(done, Selected)]


def _grouped(study: Study) -> bool:
    """Which of the rows learned from belong together is not known any more: their interval would be too
    short, and is left out."""
    return getattr(study.design, "group", None) is not None


def _weighted(study: Study) -> bool:
    return study.table.weights is not None
