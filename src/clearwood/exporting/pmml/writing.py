"""To write PMML: in elements of the model's own kind where they say the same, derived fields elsewhere."""

from collections.abc import Sequence
from typing import assert_never

import numpy as np

from clearwood.errors import SettingError
from clearwood.explaining.scorecard import Scorecard
from clearwood.exporting.exportable import Exportable, program_to_export, refused_without_words
from clearwood.exporting.exported import Exported, ExportFormat
from clearwood.exporting.pmml.document import (
    PmmlNames,
    XmlElement,
    element,
    free_name,
    function_name,
    input_names,
    is_xml,
    mining_schema,
    pmml_file,
    pmml_names,
)
from clearwood.exporting.pmml.expressions import number_text
from clearwood.exporting.pmml.regression import (
    NOTHING_BEHIND,
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
    share_outputs,
    shares_behind,
    taken_names,
)
from clearwood.exporting.pmml.trees import RegionAnswers, tree_element, tree_model, tree_nodes
from clearwood.models.columns_used import columns_used
from clearwood.models.kinds.tree.node_answers import node_shares, node_values
from clearwood.models.model import AdditiveModel, BayesTables, Ensemble, LinearModel, RuleList, Tree
from clearwood.models.program.program import ModelProgram


def to_pmml(model: Exportable) -> Exported:
    """PMML 4.4. A tree or a list of rules in which every row comes to one leaf or rule with an answer is a
    TreeModel, a linear or additive model a RegressionModel, an ensemble a MiningModel of TreeModels.

    Any other model is written as derived fields, in PMML's built-in functions. Shares are the outputs
    `probability(…)` in all of them.
    """
    program = program_to_export(model)
    names = pmml_names(model, program)
    _check_texts(program, names)
    own = _native(model, program, names)
    text = pmml_file(model, program, names, derived_model(program, names) if own is None else own)
    return Exported("pmml", text, ".pmml", model, target="jpmml", notes=(_note(own),))


def _native(model: Exportable, program: ModelProgram, names: PmmlNames) -> XmlElement | None:
    """The model in elements of its own kind; None where they would not say the same."""
    match model:
        case Tree() | RuleList():
            return tree_model(model, program, names)
        case LinearModel():
            return linear_model(model, program, names)
        case AdditiveModel():
            return additive_model(model, program, names)
        case Ensemble():
            return ensemble_model(model, program, names)
        case BayesTables() | Scorecard():
            return None
        case _:
            assert_never(model)


def _note(own: XmlElement | None) -> str:
    if own is None:
        return "Written as derived fields and a last small model."
    chain = [each for each in own.within if each.tag == "Segmentation"]
    if not chain or ("multipleModelMethod", "modelChain") not in chain[0].attributes:
        return f"Written as a {own.tag}."
    kinds = [segment.within[1].tag for segment in chain[0].within]
    return f"Written as a MiningModel, a chain of {', '.join(kinds)}."


def _check_texts(program: ModelProgram, names: PmmlNames) -> None:
    if any(not each.name for each in program.inputs):
        raise SettingError(
            "PMML has no columns without a name, but one here has none. Name it in the table and learn again."
        )
    texts = [names.target, *(each.name for each in program.inputs), *program.classes]
    texts += [each for column in program.inputs for each in getattr(column, "values", ())]
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


def ensemble_model(ensemble: Ensemble, program: ModelProgram, names: PmmlNames) -> XmlElement | None:
    """The ensemble as a MiningModel; None where a member is no tree or divides rows among leaves, or where no
    member asks anything."""
    if ensemble.trees is None or not program.inputs:
        return None
    members = []
    for place, member in enumerate(ensemble.members):
        assert isinstance(member, Tree)
        root = tree_nodes(member, _answers(ensemble, member, place))
        if root is None:
            return None
        members.append(_member(ensemble, member, root, program, names))
    if ensemble.combined_by == "sum":
        return _sum(ensemble, members, program, names)
    weights = ensemble.weights
    schema = mining_schema(input_names(program), names.target)
    if ensemble.is_numeric:
        method = "weightedAverage" if weights else "average"
        return combined(method, members, schema, function="regression", weights=weights)
    by_votes = ensemble.combined_by == "votes"
    method = "majorityVote" if by_votes else "average"
    if weights:
        method = f"weighted{method[0].upper()}{method[1:]}"
    is_plain = ensemble.decision.is_plain and ensemble.decision.by == "share" and not by_votes
    behind = NOTHING_BEHIND if is_plain else shares_behind("score", program, taken_names(program, names))
    outputs = share_outputs(behind, program, names)
    own = combined(method, members, schema, function=function_name(program), outputs=outputs, weights=weights)
    return chain_of_models([own, *deciding_models(behind, program, names)], program, names)


def _answers(ensemble: Ensemble, member: Tree, place: int) -> RegionAnswers:
    """What a member's leaves say: of a sum and of numbers a number, of votes a class, else shares."""
    leaves = np.flatnonzero(member.nodes.is_leaf)
    if member.is_numeric:
        values = node_values(member)[leaves]
        # The weights of a sum are in its steps; PMML has weights for means and votes.
        return RegionAnswers(
            (values * ensemble.weight(place) if ensemble.combined_by == "sum" else values).tolist()
        )
    shares = node_shares(member)[leaves]
    codes = shares.argmax(axis=1).tolist()
    if ensemble.combined_by == "votes":
        return RegionAnswers(codes, ensemble.schema.classes)
    return RegionAnswers(codes, ensemble.schema.classes, shares.T.tolist())


def _member(
    ensemble: Ensemble, member: Tree, root: XmlElement, program: ModelProgram, names: PmmlNames
) -> XmlElement:
    used = columns_used(member)
    every = input_names(program)
    columns = [each for each in every if each in used] or every[:1]  # PMML has no schema without a field
    target = None if ensemble.combined_by == "sum" else names.target
    function = "regression" if member.is_numeric else "classification"
    return tree_element(mining_schema(columns, target), root, (), function)


def _sum(
    ensemble: Ensemble, members: Sequence[XmlElement], program: ModelProgram, names: PmmlNames
) -> XmlElement:
    assert ensemble.trees is not None
    columns = input_names(program)
    if ensemble.link == "identity":
        start = element("Target", field=names.target, rescaleConstant=number_text(ensemble.base[0]))
        schema = mining_schema(columns, names.target)
        return combined("sum", members, schema, function="regression", targets=[start])
    taken = taken_names(program, names)
    models, scores, fields = [], [], []
    for place, base in enumerate(ensemble.base):
        own = [each for each, to in zip(members, ensemble.trees.adds_to, strict=True) if to == place]
        if not own:
            scores.append(ScoreSum(base))
            continue
        name = free_name(_score_name(ensemble, place), taken)
        output = element(
            "OutputField",
            name=name,
            optype="continuous",
            dataType="double",
            feature="predictedValue",
            isFinalResult="false",
        )
        schema = mining_schema(columns, None)
        models.append(combined("sum", own, schema, function="regression", outputs=[output]))
        scores.append(ScoreSum(base, [number_predictor(name, 1.0)]))
        fields.append(name)
    behind = behind_link(ensemble.decision, program, taken)
    schema = mining_schema(fields, names.target)
    last = linked_models(scores, ensemble.link, schema, program, names, behind=behind)
    return chain_of_models([*models, *last], program, names)


def _score_name(ensemble: Ensemble, place: int) -> str:
    return f"sum for {ensemble.schema.classes[place]}" if len(ensemble.base) > 1 else "sum of the trees"
