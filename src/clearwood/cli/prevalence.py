"""`--prevalence`: the model for a place where its classes are more, or less, common."""

from __future__ import annotations

from collections.abc import Mapping

from clearwood.cli.settings import value_of
from clearwood.errors import SettingError
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.model import Model
from clearwood.predict.prevalence import at_prevalence
from clearwood.registry import Setting


def where_common(model: Model, text: str) -> Model:
    """The model with other priors; only a Bayes model keeps them apart from the evidence."""
    if not isinstance(model, BayesTables):
        raise SettingError(
            "--prevalence is for Bayes models, which keep priors apart. For others say it when learning: "
            "clearwood fit DATA --set priors=CLASS:SHARE,…"
        )
    return at_prevalence(model, value_of(Setting("--prevalence", (Mapping[str, float],)), text))
