"""PMML: a document's tree, rule set, ensemble, regression or Bayes model, as one of ours."""

from __future__ import annotations

from typing import Any, Final

from clearwood.errors import ModelFileError
from clearwood.importing.given import GivenNames
from clearwood.importing.importer import Content
from clearwood.importing.origins import file_fingerprint, imported_from
from clearwood.importing.pmml.as_rules import as_rules
from clearwood.importing.pmml.as_tree import as_tree
from clearwood.importing.pmml.bayes import bayes_in
from clearwood.importing.pmml.cascade import NotATreeError
from clearwood.importing.pmml.derived import document_fields
from clearwood.importing.pmml.elements import Element, elements_in
from clearwood.importing.pmml.ensembles import MODELS, mining_model_in
from clearwood.importing.pmml.fields import PmmlFields, check_default_answers
from clearwood.importing.pmml.own_votes import own_votes_in
from clearwood.importing.pmml.regression import regression_in
from clearwood.importing.pmml.rule_sets import rule_set_in
from clearwood.importing.pmml.tree_nodes import training_rows_in, tree_in
from clearwood.models.model import Model
from clearwood.models.origin import Origin
from clearwood.models.tree import Tree

_NO_MODELS: Final = ("Header", "DataDictionary", "TransformationDictionary", "MiningBuildTask", "Extension")


def is_pmml(source: Any) -> bool:
    """A PMML document?"""
    return isinstance(source, Content) and source.start.startswith(b"<") and b"<PMML" in source.first(65536)


def read_pmml(content: Content, given: GivenNames) -> Model:
    """The model of the document."""
    root = elements_in(content)
    try:
        return _model(root, content, given)
    except ModelFileError as error:
        way_out = ""
        if _made_by(root).get("name") == "Clearwood":
            way_out = (
                " Clearwood exported this document, in formulas that are not undone: load the JSON of the "
                "model instead."
            )
        raise ModelFileError(f"{content.where}: {error}{way_out}") from None


def _model(root: Element, content: Content, given: GivenNames) -> Model:
    version = root.get("version")
    if root.name != "PMML" or not version.startswith("4"):
        raise ModelFileError(f"PMML 4 is read here, not {root.name} {version}.")
    models = [child for child in root.children if child.name not in _NO_MODELS]
    if len(models) != 1:
        raise ModelFileError(f"a document with one model is read, not with {len(models)}.")
    model = models[0]
    if model.name not in MODELS:
        raise ModelFileError(
            f"{model.where}: a {model.name} is not read. Those that are: {', '.join(MODELS)}."
        )
    if model.get("isScorable", "true") == "false":
        raise ModelFileError(f"{model.where}: the document says that the model cannot be scored.")
    scores = [] if model.get("functionName") == "regression" else _scores(model)
    # What becomes of the sum of an ensemble is part of it.
    fields = document_fields(root, model, given, scores, rescaled=model.name == "MiningModel")
    given.check_values([each.name for each in fields.schema.attributes])
    if given.values:
        raise ModelFileError("a PMML document names its values itself; give none.")
    made = _read(root, model, fields, _origin(root, model, content))
    if not isinstance(made, Tree):  # which answers every row by itself
        check_default_answers(model)
    return made


def _read(root: Element, model: Element, fields: PmmlFields, origin: Origin) -> Model:
    match model.name:
        case "RuleSetModel":
            return rule_set_in(model, fields, origin)
        case "MiningModel":
            is_own = _made_by(root).get("name") == "Clearwood"
            own = own_votes_in(model, fields, origin) if is_own else None
            return mining_model_in(model, fields, origin) if own is None else own
        case "RegressionModel":
            return regression_in(model, fields, origin)
        case "NaiveBayesModel":
            return bayes_in(model, fields, origin)
    return _tree_or_rules(model, fields, origin)


def _tree_or_rules(model: Element, fields: PmmlFields, origin: Origin) -> Model:
    tree = tree_in(model, fields)
    try:
        return as_tree(tree, fields.schema, origin)
    except NotATreeError:
        return as_rules(tree, fields.schema, origin)


def _scores(model: Element) -> list[str]:
    """The classes in the order in which nodes and rules name them."""
    names: dict[str, None] = {}
    waiting = [model]
    while waiting:
        element = waiting.pop()
        # The nodes of a model of numbers name none.
        waiting.extend(
            each for each in reversed(element.children) if each.get("functionName") != "regression"
        )
        if element.name == "ScoreDistribution":
            names[element.get("value")] = None
        elif element.name in ("Node", "SimpleRule") and "score" in element.attributes:
            names[element.get("score")] = None
        elif element.name == "RegressionTable" and "targetCategory" in element.attributes:
            names[element.get("targetCategory")] = None
        elif element.name == "RuleSet" and "defaultScore" in element.attributes:
            names[element.get("defaultScore")] = None
    return list(names)


def _origin(root: Element, model: Element, content: Content) -> Origin:
    made_by = _made_by(root)
    by = f" of {made_by['name']} {made_by.get('version', '')}".rstrip() if "name" in made_by else ""
    root_node = model.first("Node")
    return imported_from(
        "PMML",
        root.get("version"),
        f"{model.name}{by}",
        rows=0.0 if root_node is None else training_rows_in(root_node),
        fingerprint=file_fingerprint(content.data),
    )


def _made_by(root: Element) -> dict[str, str]:
    """The program that wrote the document, its `name` and perhaps its `version`."""
    header = root.first("Header")
    application = None if header is None else header.first("Application")
    return {} if application is None else application.attributes
