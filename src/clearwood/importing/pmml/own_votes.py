"""Votes of trees that Clearwood itself exported: behind them stands a model that decides between equal votes,
as an ensemble here does anyway."""

from __future__ import annotations

from clearwood.export.pmml.writing import to_pmml
from clearwood.importing.importer import Content
from clearwood.importing.pmml.derived import inner_fields
from clearwood.importing.pmml.elements import Element, elements_in
from clearwood.importing.pmml.ensembles import mining_model_in
from clearwood.importing.pmml.fields import PmmlFields
from clearwood.models.ensemble import Ensemble
from clearwood.models.origin import Origin


def own_votes_in(model: Element, fields: PmmlFields, origin: Origin) -> Ensemble | None:
    """The ensemble of a chain of votes and what decides by them; None of another chain.

    It is one of ours where, exported again, the same model stands behind the votes, word for word.
    """
    votes, *behind = _links(model)
    if len(behind) != 1 or votes.name != "MiningModel" or votes.get("functionName") != "classification":
        return None
    made = mining_model_in(votes, inner_fields(fields, votes), origin)
    if not isinstance(made, Ensemble) or made.combined_by != "votes":
        return None
    again = elements_in(Content(to_pmml(made).text.encode(), "the export"))
    written = again.first("MiningModel")
    return made if written is not None and _same(_links(written)[1:], behind) else None


def _links(model: Element) -> list[Element]:
    """The models of a chain; the model itself where it is none."""
    segmentation = model.first("Segmentation")
    if segmentation is None or segmentation.get("multipleModelMethod") != "modelChain":
        return [model]
    return [each.children[-1] for each in segmentation.all("Segment")] or [model]


def _same(some: list[Element], others: list[Element]) -> bool:
    """Do they say the same, wherever they stand?"""
    waiting = [(some, others)]
    while waiting:
        one, other = waiting.pop()
        if len(one) != len(other):
            return False
        for a, b in zip(one, other, strict=True):
            if (a.name, a.attributes, a.text.strip()) != (b.name, b.attributes, b.text.strip()):
                return False
            waiting.append((a.children, b.children))
    return True
