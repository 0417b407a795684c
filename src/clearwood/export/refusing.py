"""What a program cannot say of a model, found out before anything is written."""

from __future__ import annotations

from clearwood.export.exportable import Exportable
from clearwood.export.program.of_ensemble import refusal_of_ensemble
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Words
from clearwood.models.ensemble import Ensemble


def refused_by_program(model: Exportable) -> str | None:
    """Why no program says what this model does; None: one does."""
    if isinstance(model, Ensemble):
        return refusal_of_ensemble(model)
    return None


def refused_without_words(model: Exportable) -> str | None:
    """The same for a format that cannot tell the words of a text apart."""
    if texts := reads_texts(model):
        return (
            f"This format cannot tell the words of the text '{texts[0]}' apart as Clearwood does. "
            "Export a model of texts to python or javascript."
        )
    return refused_by_program(model)


def reads_texts(model: Exportable) -> tuple[str, ...]:
    """The columns whose words a model reads."""
    if isinstance(model, Ensemble):
        return tuple(dict.fromkeys(name for each in model.models for name in reads_texts(each)))
    if not isinstance(model, BayesTables):
        return ()
    return tuple(each.name for each in model.distributions if isinstance(each, Words))
