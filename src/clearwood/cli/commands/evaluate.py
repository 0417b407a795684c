"""`clearwood evaluate`: everything about how good a saved model is, costs and cutoff included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clearwood.cli.evaluation_options import Favourable, costs_in, names_in, note_on_guess
from clearwood.cli.options import (
    ABOUT_POSITIVE,
    FAIRNESS,
    JUDGING,
    Data,
    ModelPath,
    Output,
    SchemaOfRules,
    option,
    options,
)
from clearwood.cli.output import answer, note, working
from clearwood.cli.sources import Reading, load_model, raw_in
from clearwood.errors import SettingError
from clearwood.records import dataclass
from clearwood.words.numbers import in_digits

if TYPE_CHECKING:
    from clearwood.models.model import Model
    from clearwood.scoring.by_group import ByGroup, NamedGroups
    from clearwood.scoring.scores import Scores
    from clearwood.study.fairness.groups import ScoresByGroup
    from clearwood.study.verdict import ModelVerdict
    from clearwood.table.table import Table


@options()
class EvaluateOptions:
    """What `clearwood evaluate` takes."""

    model: ModelPath
    data: Data
    positive: str | None = option("CLASS", ABOUT_POSITIVE, JUDGING)
    costs: str | None = option(
        "TRUE/PREDICTED:COST,…",
        "What a prediction costs, such as bad/good:5; other mistakes cost 1; a cost below 0 is a profit.",
        JUDGING,
    )
    beta: float = option("NUMBER", "How much recall counts in F, beside precision.", JUDGING, default=1.0)
    by: list[str] | None = option(
        "COLUMN,…", "Compare the predictions for the rows of each value, with intervals.", FAIRNESS
    )
    favourable: Favourable = None
    seed: int = option("N", "The seed of the resamples that intervals come from.", JUDGING, default=0)
    reading: Reading
    schema: SchemaOfRules = None
    output: Output


def run(asked: EvaluateOptions) -> None:
    """Everything about how good a model is on these rows."""
    from clearwood.cli.evaluation_rows import evaluation_rows_of
    from clearwood.scoring.by_group import groups_in_source
    from clearwood.study.scores import evaluation_to_json, scores
    from clearwood.study.verdict_words import model_verdict_lines
    from clearwood.table.sources.recoded import as_read

    by = names_in(asked.by)
    given = costs_in(asked.costs)
    loaded = load_model(asked.model, asked.schema)
    if asked.favourable is not None and not by:
        raise SettingError("--favourable is for comparing groups. Say also by which column: --by COLUMN.")
    raw = raw_in(asked.data, asked.reading)
    table, on_rows, met = evaluation_rows_of(raw, loaded)
    written = as_read(raw, loaded.schema.read_as, settled=True)
    compared = [groups_in_source(written, name) for name in by]
    notes = [*table.notes, *met.notes()]
    note(notes, asked.output)
    with working("Judging"):
        judged = scores(
            loaded, table, positive=asked.positive or "", costs=given, beta=asked.beta, seed=asked.seed
        )
        groups = [_by_group(loaded, table, each, judged, asked.favourable, asked.seed) for each in compared]
    judged = replace(judged, notes=tuple(on_rows))
    verdict = _verdict(loaded, table, judged, given, seen=bool(on_rows))
    guess = note_on_guess(judged)
    note(guess, asked.output)
    answer(
        asked.output,
        text=lambda: "\n\n".join(
            ["\n".join(model_verdict_lines(verdict)), _to_text(judged), *map(str, groups)]
        ),
        data=lambda: {
            "verdict": verdict.to_json(),
            **judged.to_json(),
            "evaluation": evaluation_to_json(judged.evaluation),
            **met.to_json(),
            **({"by_group": [each.to_json() for each in groups]} if groups else {}),
        },
        notes=[*notes, *on_rows, *guess],
    )


def _verdict(
    model: Model, table: Table, judged: Scores, costs: Mapping[tuple[str, str], float] | None, *, seen: bool
) -> ModelVerdict:
    """By these rows; where the model was learned from some of them, they cannot tell."""
    from clearwood.scoring.predictions import predictions_of
    from clearwood.study.verdict import slope_interval_of, verdict_of

    return verdict_of(
        predictions_of(model, table),
        judged.baseline,
        model=model,
        judged_by="training rows" if seen else "given rows",
        positive=judged.positive,
        costs=costs,
        slope_interval=slope_interval_of(judged),
    )


@dataclass(frozen=True, slots=True)
class _Groups:
    """What is compared between the values of a column: rates of answers, of classes alone, and scores."""

    rates: ByGroup | None
    scores: ScoresByGroup

    def to_json(self) -> dict[str, Any]:
        rates = {} if self.rates is None else {"rates": self.rates.to_json()}
        return {"column": self.scores.column, **rates, "scores": self.scores.to_json()["groups"]}

    def __str__(self) -> str:
        return "\n\n".join(str(each) for each in (self.rates, self.scores) if each is not None)


def _by_group(
    model: Model, table: Table, groups: NamedGroups, judged: Scores, favourable: str | None, seed: int
) -> _Groups:
    from clearwood.scoring.by_group import rates_by_group
    from clearwood.scoring.predictions import ClassPredictions, predictions_of
    from clearwood.study.fairness.groups import positive_of, scores_of_groups

    predictions = predictions_of(model, table)
    groups = groups.take(predictions.places)
    rates = None
    if isinstance(predictions, ClassPredictions):
        about = positive_of(predictions, judged.positive, favourable, model)
        rates = rates_by_group(predictions, groups, about, favourable=favourable)
    return _Groups(rates, scores_of_groups(predictions, groups, positive=judged.positive, seed=seed))


def _to_text(judged: Scores) -> str:
    from clearwood.scoring.evaluation import ClassEvaluation

    parts = [str(judged)]
    if isinstance(judged.evaluation, ClassEvaluation):
        parts.append("\n".join(judged.evaluation.matrix()))
    if judged.cutoff is not None:
        parts.append("\n".join(_costs(judged)))
    if judged.lift is not None:
        parts.append(f"The rows with the largest probabilities of {judged.positive} first\n{judged.lift}")
    if judged.calibration is not None:
        off = judged.calibration.error
        worst = max(off, key=off.__getitem__)
        parts.append(
            f"On the average row the observed share of {worst} lies {off[worst]:.4f} from its probability; "
            "clearwood calibration shows where."
        )
    return "\n\n".join(parts)


def _costs(judged: Scores) -> list[str]:
    """The cost as the model answers, at the best cutoff, and of the cheapest constant answer."""
    from clearwood.models.in_words import costs_in_words
    from clearwood.scoring.positive import ConstantClasses, rows_in_words

    best = judged.cutoff
    assert best is not None
    assert isinstance(judged.baseline, ConstantClasses)
    brings = "profit" in {each.name for each in judged.scored}
    turned = -1 if brings else 1
    own = judged["profit" if brings else "cost"]
    what = "brings" if brings else "costs"
    at = (
        f"{best.positive} never"
        if best.at is None
        else f"{best.positive} from a probability of {best.at:.4g} on"
    )
    constant = float("nan") if own.baseline is None else own.baseline
    return [
        f"A row {what} {in_digits(own.value, 3)} on average as the model predicts, "
        f"{in_digits(constant, 3)} if every row got {judged.cheapest}, the cheapest constant class by the "
        f"shares of the {rows_in_words(judged.baseline.of)}. "
        f"Costs: {costs_in_words(judged.costs, judged.baseline.classes)}.",
        f"With the best cutoff, {at}, it {what} {in_digits(turned * best.per_row, 3)}; but these rows chose "
        f"that cutoff, so that others {'bring less' if brings else 'cost more'}.",
    ]
