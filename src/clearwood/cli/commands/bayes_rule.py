"""`clearwood bayes-rule`: how likely is it, now that the test says so? Step by step."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from clearwood.cli.options import REQUIRED, DetailOption, Json, Output, option, options
from clearwood.cli.output import answer
from clearwood.cli.settings import literal_choice
from clearwood.errors import SettingError

if TYPE_CHECKING:
    from clearwood.measures.bayes_rule import BayesRule


@options()
class BayesRuleOptions:
    """What `clearwood bayes-rule` takes."""

    prior: float = option("P", "How common it is: P(yes).", default=REQUIRED, show_default=False)
    sensitivity: float = option(
        "P", "How often the test finds it: P(positive | yes).", default=REQUIRED, show_default=False
    )
    false_positive: float | None = option("P", "How often it is wrong on others: P(positive | no).")
    specificity: float | None = option("P", "Or its specificity: P(negative | no) = 1 − P(positive | no).")
    detail: DetailOption = None
    as_json: Json = False


def run(asked: BayesRuleOptions) -> None:
    """Bayes' rule with these numbers."""
    from clearwood.measures.bayes_rule import bayes_rule

    if asked.detail is not None and asked.as_json:
        raise SettingError("--json holds the numbers alone; give --detail without it.")
    worked = bayes_rule(
        asked.prior, asked.sensitivity, _false_positive(asked.false_positive, asked.specificity)
    )
    answer(
        Output(as_json=asked.as_json),
        text=lambda: _to_text(worked, asked.detail),
        data=lambda: asdict(worked),
    )


def _false_positive(false_positive: float | None, specificity: float | None) -> float:
    if false_positive is not None and specificity is None:
        return false_positive
    if false_positive is not None or specificity is None:
        raise SettingError("Give --false-positive or --specificity, one of the two.")
    if not 0 <= specificity <= 1:
        raise SettingError(f"specificity must be a probability, from 0 to 1, not {specificity!r}.")
    return round(1 - specificity, 15)  # 1 − 0.97 is 0.03, as a person has it


def _to_text(worked: BayesRule, detail: str | None) -> str:
    from clearwood.cli.drawing import page_width
    from clearwood.deriving.bayes.tables import derive_bayes_rule
    from clearwood.draw.derivations import write_derivation
    from clearwood.draw.derivations.sheets import Detail

    if detail is None:
        return str(worked)
    text = write_derivation(
        derive_bayes_rule(worked), detail=literal_choice("detail", detail, Detail), width=page_width()
    )
    return text.rstrip()
