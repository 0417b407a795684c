"""To write PMML: in elements of the model's own kind where they say the same, derived fields elsewhere."""

from collections.abc import Sequence

import numpy as np

from clearwood.errors import SettingError
from clearwood.exporting.exportable import Exportable, program_to_export, refused_without_words
from clearwood.exporting.exported import Exported, ExportFormat
from clearwood.exporting.pmml.document import (
    NOTHING_BEHIND,
    PmmlFrame,
    XmlElement,
    element,
    free_name,
    is_xml,
    mining_schema,
    output_field,
    pmml_file,
    pmml_frame,
    share_outputs,
)
from clearwood.exporting.pmml.expressions import number_text
from clearwood.exporting.pmml.regression import (
    ScoreSum,
    additive_model,
    behind_link,
    chain_of_models,
    combined,
    deciding_models,
    derived_model,
    linear_model,
    linked_models,
    number_predictor,
    shares_behind,
)
from clearwood.exporting.pmml.trees import RegionAnswers, tree_element, tree_model, tree_nodes
from clearwood.models.kinds.tree.tree import node_shares, node_values
from clearwood.models.model import AdditiveModel, Ensemble, LinearModel, RuleList, Tree
from clearwood.models.space.space_of import columns_used


def to_pmml(model: Exportable) -> Exported:
    """PMML 4.4. A tree or a list of rules in which every row comes to one leaf or rule with an answer is a
    TreeModel, a linear or additive model a RegressionModel, an ensemble a MiningModel of TreeModels.

    Any other model is written as derived fields, in PMML's built-in functions. Shares are the outputs
    `probability(…)` in all of them.
    """
    program = program_to_export(model)
    frame = pmml_frame(model, program)
    _check_texts(frame)
    own = _native(model, frame)
    text = pmml_file(model, frame, derived_model(frame) if own is None else own)
    return Exported("pmml", text, ".pmml", model, target="jpmml", notes=(_note(own),))


def _native(model: Exportable, frame: PmmlFrame) -> XmlElement | None:
    """The model in elements of its own kind; None where they would not say the same."""
    if isinstance(model, Tree | RuleList):
        return tree_model(model, frame)
    if isinstance(model, LinearModel):
        return linear_model(model, frame)
    if isinstance(model, AdditiveModel):
        return additive_model(model, frame)
    return ensemble_model(model, frame) if isinstance(model, Ensemble) else None


def _note(own: XmlElement | None) -> str:
    if own is None:
        return "Written as derived fields and a last small model."
    chain = [each for each in own.within if each.tag == "Segmentation"]
    if not chain or ("multipleModelMethod", "modelChain") not in chain[0].attributes:
        return f"Written as a {own.tag}."
    kinds = [segment.within[1].tag for segment in chain[0].within]
    return f"Written as a MiningModel, a chain of {', '.join(kinds)}."


def _check_texts(frame: PmmlFrame) -> None:
    if "" in frame.columns:
        raise SettingError(
            "PMML has no columns without a name, but one here has none. Name it in the table and learn again."
        )
    texts = [frame.target, *frame.columns, *frame.program.classes]
    texts += [each for column in frame.program.inputs for each in getattr(column, "values", ())]
    for text in texts:
        if not is_xml(text):
            raise SettingError(
                f"XML cannot hold the text {text!r}. Rename it and learn again, or export to python."
            )


FORMAT = ExportFormat(
    "pmml", "PMML 4.4, which engines of scoring read", (".pmml",), to_pmml, refused_without_words
)


# Ensembles of trees as PMML's MiningModel of TreeModels, where no row is divided among leaves.
#
# Means and votes are PMML's own. Of a sum a RegressionModel makes shares, or the number, behind its trees.
# Votes are decided behind them also: of classes with as many votes the first in the target's order answers.


def ensemble_model(ensemble: Ensemble, frame: PmmlFrame) -> XmlElement | None:
    """The ensemble as a MiningModel; None where a member is no tree or divides rows among leaves, or where no
    member asks anything."""
    if ensemble.trees is None or not frame.columns:
        return None
    members = []
    for place, member in enumerate(ensemble.members):
        assert isinstance(member, Tree)
        root = tree_nodes(member, _answers(ensemble, member, place))
        if root is None:
            return None
        used = columns_used(member)
        columns = [each for each in frame.columns if each in used] or frame.columns[
            :1
        ]  # PMML asks for a field
        target = None if ensemble.combined_by == "sum" else frame.target
        function = "regression" if member.is_numeric else "classification"
        members.append(tree_element(mining_schema(columns, target), root, (), function))
    if ensemble.combined_by == "sum":
        return _sum(ensemble, members, frame)
    weights, by_votes = ensemble.weights, ensemble.combined_by == "votes"
    method = "majorityVote" if by_votes and not ensemble.is_numeric else "average"
    if weights:
        method = f"weighted{method[0].upper()}{method[1:]}"
    is_plain = ensemble.decision.is_plain and ensemble.decision.by == "share" and not by_votes
    behind = NOTHING_BEHIND if is_plain else shares_behind("score", frame, frame.taken)
    outputs = share_outputs(frame, behind)
    own = combined(method, members, frame.schema(), frame.function, outputs=outputs, weights=weights)
    return chain_of_models([own, *deciding_models(behind, frame)], frame)


def _answers(ensemble: Ensemble, member: Tree, place: int) -> RegionAnswers:
    """What a member's leaves say: of a sum and of numbers a number, of votes a class, else shares."""
    leaves = np.flatnonzero(member.nodes.is_leaf)
    if member.is_numeric:
        # The weights of a sum are in its steps; PMML has weights for means and votes.
        weight = ensemble.weight(place) if ensemble.combined_by == "sum" else 1.0
        return RegionAnswers((node_values(member)[leaves] * weight).tolist())
    shares = node_shares(member)[leaves]
    by_class = [] if ensemble.combined_by == "votes" else shares.T.tolist()
    return RegionAnswers(shares.argmax(axis=1).tolist(), ensemble.schema.classes, by_class)


def _sum(ensemble: Ensemble, members: Sequence[XmlElement], frame: PmmlFrame) -> XmlElement:
    assert ensemble.trees is not None
    if ensemble.link == "identity":
        start = element("Target", field=frame.target, rescaleConstant=number_text(ensemble.base[0]))
        return combined("sum", members, frame.schema(), "regression", targets=[start])
    taken = frame.taken
    models: list[XmlElement] = []
    scores: list[ScoreSum] = []
    fields = []
    for place, base in enumerate(ensemble.base):
        own = [each for each, to in zip(members, ensemble.trees.adds_to, strict=True) if to == place]
        if not own:
            scores.append((base, ()))
            continue
        of = f"for {ensemble.schema.classes[place]}" if len(ensemble.base) > 1 else "of the trees"
        fields.append(free_name(f"sum {of}", taken))
        output = output_field(fields[-1], "predictedValue", isFinalResult="false")
        models.append(combined("sum", own, mining_schema(frame.columns), "regression", outputs=[output]))
        scores.append((base, [number_predictor(fields[-1], 1.0)]))
    behind = behind_link(ensemble.decision, frame, taken)
    last = linked_models(scores, ensemble.link, frame.schema(fields), frame, behind)
    return chain_of_models([*models, *last], frame)
