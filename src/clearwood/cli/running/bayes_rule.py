"""What `bayes-rule` does: P(yes | positive), every step shown."""

from __future__ import annotations

from dataclasses import asdict

from clearwood.cli.drawing import page_width
from clearwood.cli.learning import literal_choice
from clearwood.cli.options import Output
from clearwood.cli.output import answer
from clearwood.derive.bayes.tables import derive_bayes_rule
from clearwood.draw.derivations import write_derivation
from clearwood.draw.derivations.sheets import Detail
from clearwood.errors import SettingError
from clearwood.measures.bayes_rule import BayesRule, bayes_rule


def run(
    prior: float,
    sensitivity: float,
    false_positive: float | None,
    specificity: float | None,
    *,
    detail: str | None,
    as_json: bool,
) -> None:
    """Bayes' rule with these numbers."""
    if detail is not None and as_json:
        raise SettingError("--json holds the numbers alone; give --detail without it.")
    worked = bayes_rule(prior, sensitivity, _false_positive(false_positive, specificity))
    answer(Output(as_json=as_json), text=lambda: _to_text(worked, detail), data=lambda: asdict(worked))


def _false_positive(false_positive: float | None, specificity: float | None) -> float:
    if false_positive is not None and specificity is None:
        return false_positive
    if false_positive is not None or specificity is None:
        raise SettingError("Give --false-positive or --specificity, one of the two.")
    if not 0 <= specificity <= 1:
        raise SettingError(f"specificity must be a probability, from 0 to 1, not {specificity!r}.")
    return round(1 - specificity, 15)  # 1 − 0.97 is 0.03, as a person has it


def _to_text(worked: BayesRule, detail: str | None) -> str:
    if detail is None:
        return str(worked)
    text = write_derivation(
        derive_bayes_rule(worked), detail=literal_choice("detail", detail, Detail), width=page_width()
    )
    return text.rstrip()
