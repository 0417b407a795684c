"""To write PMML: in elements of the model's own kind where they say the same, derived fields elsewhere."""

from __future__ import annotations

from typing import assert_never

from clearwood.errors import SettingError
from clearwood.explain.scorecard import Scorecard
from clearwood.export.exportable import Exportable
from clearwood.export.exported import Exported, ExportFormat
from clearwood.export.exporting import refused_without_words
from clearwood.export.pmml.document import PmmlNames, XmlElement, is_xml, pmml_file, pmml_names
from clearwood.export.pmml.ensembles import ensemble_model
from clearwood.export.pmml.regression import additive_model, derived_model, linear_model
from clearwood.export.pmml.trees import tree_model
from clearwood.export.program.program import ModelProgram
from clearwood.export.program.program_of import program_of
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Ensemble
from clearwood.models.linear_model import LinearModel
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree


def to_pmml(model: Exportable) -> Exported:
    """PMML 4.4. A tree or a list of rules in which every row comes to one leaf or rule with an answer is a
    TreeModel, a linear or additive model a RegressionModel, an ensemble a MiningModel of TreeModels.

    Any other model is written as derived fields, in PMML's built-in functions. Shares are the outputs
    `probability(…)` in all of them.
    """
    program = program_of(model)
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
