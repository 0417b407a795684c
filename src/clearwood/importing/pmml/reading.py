"""PMML: a document's tree, rule set, ensemble, regression or Bayes model, as one of ours."""

from collections.abc import Mapping
from fractions import Fraction
from operator import itemgetter
from typing import Any, Final

from clearwood.errors import ModelFileError
from clearwood.exporting.pmml.writing import to_pmml
from clearwood.importing.features import bell_curve
from clearwood.importing.given import GivenNames
from clearwood.importing.importer import Content, file_fingerprint, imported_from
from clearwood.importing.pmml.as_rules import RuleWay, as_rules, ways_of
from clearwood.importing.pmml.as_tree import as_tree
from clearwood.importing.pmml.cascade import NotATreeError
from clearwood.importing.pmml.derived import document_fields, inner_fields
from clearwood.importing.pmml.elements import Element, elements_in
from clearwood.importing.pmml.ensembles import MODELS, mining_model_in
from clearwood.importing.pmml.fields import (
    PmmlField,
    PmmlFields,
    check_default_answers,
    check_targets,
    spelled_as,
)
from clearwood.importing.pmml.predicates import predicate_of
from clearwood.importing.pmml.regression import regression_in
from clearwood.importing.pmml.tree_nodes import answer_of, training_rows_in, tree_in
from clearwood.models.kinds.bayes.distributions import Categorical, Distribution, Exact, exact
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule
from clearwood.models.kinds.tree.tree import merged_conditions
from clearwood.models.lineage import Origin
from clearwood.models.model import BayesTables, Ensemble, Model, RuleList, Tree
from clearwood.table.attributes import Numeric

_NAMES_A_CLASS: Final = {
    "ScoreDistribution": "value",
    "Node": "score",
    "SimpleRule": "score",
    "RegressionTable": "targetCategory",
    "RuleSet": "defaultScore",
}
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
        attribute = _NAMES_A_CLASS.get(element.name)
        if attribute in element.attributes:
            names[element.get(attribute)] = None
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


# Votes of trees that Clearwood itself exported: behind them stands a model that decides between equal votes,
# as an ensemble here does anyway.


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


# A RuleSetModel: the first rule that hits, or the rules that vote by their weights.


def rule_set_in(model: Element, fields: PmmlFields, origin: Origin) -> RuleList:
    """The rules by the first selection method, which is the one that is used."""
    rule_set = model.first("RuleSet")
    if rule_set is None:
        raise ModelFileError(f"{model.where}: there is no RuleSet.")
    method = rule_set.first("RuleSelectionMethod")
    criterion = "" if method is None else method.get("criterion")
    if criterion not in ("firstHit", "weightedSum", "weightedMax"):
        raise ModelFileError(f"{rule_set.where}: the RuleSelectionMethod '{criterion}' cannot be said here.")
    if isinstance(fields.schema.target, Numeric):
        raise ModelFileError(f"{model.where}: rules of numbers are not read here.")
    found = _simple_rules(rule_set, fields, [()])
    if criterion == "weightedMax":  # of all that hold, the first with the largest weight
        found.sort(key=lambda each: -each[1])
    votes = criterion == "weightedSum"
    rules: list[Rule] = []
    for ways, weight, element in found:
        answer = answer_of(element, fields)
        if answer is None:
            raise ModelFileError(f"{element.where}: the rule has no score.")
        counts = answer.counts
        if votes:
            if len(ways) > 1:
                raise ModelFileError(f"{element.where}: a rule with alternatives would vote more than once.")
            counts = tuple(weight if name == answer.then else 0.0 for name in fields.schema.classes)
            if not weight > 0:
                raise ModelFileError(f"{element.where}: a rule votes by a weight above 0, not {weight:g}.")
        rules += [Rule(merged_conditions(list(way)), answer.then, counts) for way in ways]
    default = rule_set.attributes.get("defaultScore")
    if default is not None and default not in fields.places:
        raise ModelFileError(f"{rule_set.where}: the defaultScore '{default}' is no class of the target.")
    then = None if default is None else fields.schema.classes[fields.places[default]]
    counts = () if then is None else tuple(float(name == then) for name in fields.schema.classes)
    return RuleList(
        fields.schema, tuple(rules), Otherwise(then, counts), "vote" if votes else "first", origin=origin
    )


def _simple_rules(
    parent: Element, fields: PmmlFields, ways: list[RuleWay], depth: int = 0
) -> list[tuple[list[RuleWay], float, Element]]:
    """Every SimpleRule in order, with the ways in which it holds and its weight; a CompoundRule asks more."""
    if depth > 100:
        raise ModelFileError(f"{parent.where}: rules are nested deeper than 100.")
    found: list[tuple[list[RuleWay], float, Element]] = []
    for element in parent.all("SimpleRule", "CompoundRule"):
        own = ways_of(predicate_of(element, fields.by_name), fields.schema)
        reached = [(*way, *more) for way in ways for more in own]
        if element.name == "SimpleRule":
            found.append((reached, element.number("weight", 1.0) or 0.0, element))
        else:
            found += _simple_rules(element, fields, reached, depth + 1)
    return found


# A NaiveBayesModel: counts of values by class, and bell curves, as Bayes tables.


def bayes_in(model: Element, fields: PmmlFields, origin: Origin) -> BayesTables:
    """The counts and curves of each column; a column whose cell is empty is left out, as in PMML."""
    check_targets(model)
    schema = fields.schema
    if isinstance(schema.target, Numeric):
        raise ModelFileError(f"{model.where}: a NaiveBayesModel of a number is not read.")
    threshold = model.number("threshold", 0.0) or 0.0
    output, inputs = model.first("BayesOutput"), model.first("BayesInputs")
    counts = None if output is None else output.first("TargetValueCounts")
    if counts is None or inputs is None:
        raise ModelFileError(f"{model.where}: there are no BayesInputs, or no counts in a BayesOutput.")
    weights = _counts(counts, fields.places)
    if not all(weights):
        raise ModelFileError(f"{counts.where}: a class without rows has no probabilities.")
    tables: list[tuple[int, Distribution]] = []
    for each in inputs.all("BayesInput"):
        name = each.get("fieldName")
        field = fields.by_name.get(name)
        if each.first("DerivedField") is not None or field is None or field.labels is not None:
            raise ModelFileError(f"{each.where}: '{name}' is a formula of columns, which is not read here.")
        if field.missing_as is not None or field.is_prepared:
            raise ModelFileError(
                f"{each.where}: cells of '{name}' are replaced, which cannot be said by counts or curves."
            )
        stats = each.first("TargetValueStats")
        table = (
            _table(each, field, fields.places, threshold)
            if stats is None
            else _curve(each, stats, field, fields.places, weights, threshold)
        )
        tables.append((schema.positions[name], table))
    tables.sort(key=itemgetter(0))
    total = sum(weights)
    priors = tuple(float(Fraction(each) / total) for each in weights)
    return BayesTables(schema, weights, tuple(table for _, table in tables), priors, origin=origin)


def _counts(parent: Element, places: Mapping[str, int]) -> tuple[Exact, ...]:
    """[class] the counts in an element of TargetValueCount."""
    counts: list[Exact] = [0] * len(places)
    for each in parent.all("TargetValueCount"):
        if each.get("value") not in places:
            raise ModelFileError(f"{each.where}: '{each.get('value')}' is no class of the target.")
        count = each.number("count", 0.0) or 0.0
        if count < 0:
            raise ModelFileError(f"{each.where}: a count must not be below 0.")
        counts[places[each.get("value")]] = exact(count)
    return tuple(counts)


def _curve(
    element: Element,
    stats: Element,
    field: PmmlField,
    places: Mapping[str, int],
    weights: tuple[Exact, ...],
    threshold: float,
) -> Distribution:
    if not field.is_numeric or field.is_single or threshold > 0:
        raise ModelFileError(
            f"{element.where}: normal distributions are read of columns in double precision, with "
            "threshold 0; a larger one bounds their heights, which is not done here."
        )
    curves: dict[int, tuple[float, float]] = {}
    for each in stats.all("TargetValueStat"):
        bell = each.first("GaussianDistribution")
        if bell is None or each.get("value") not in places:
            raise ModelFileError(f"{each.where}: only a GaussianDistribution of a class is read.")
        mean, variance = bell.number("mean"), bell.number("variance")
        if mean is None or variance is None or not variance > 0:
            raise ModelFileError(f"{bell.where}: a mean, and a variance above 0, are needed.")
        curves[places[each.get("value")]] = (mean, variance)
    if len(curves) != len(places):
        raise ModelFileError(f"{stats.where}: every class needs a curve.")
    own = [curves[place] for place in range(len(places))]
    return bell_curve(
        field.column, weights, [m for m, _ in own], [v for _, v in own], field.slope, field.offset
    )


def _table(element: Element, field: PmmlField, places: Mapping[str, int], threshold: float) -> Distribution:
    if field.is_numeric:
        raise ModelFileError(f"{element.where}: counts are read of a column of values.")
    by_value: dict[str, tuple[Exact, ...]] = {}
    for pair in element.all("PairCounts"):
        counts = pair.first("TargetValueCounts")
        value = spelled_as(field, pair.get("value"))
        if counts is None or value not in field.values:
            raise ModelFileError(
                f"{pair.where}: '{value}' is no value of '{field.column}', or has no counts."
            )
        by_value[value] = _counts(counts, places)
    nothing: tuple[Exact, ...] = (0,) * len(places)
    columns = [by_value.get(value, nothing) for value in field.values]
    rows = tuple(tuple(column[place] for column in columns) for place in range(len(places)))
    if any(not count for row in rows for count in row):
        raise ModelFileError(
            f"{element.where}: a value of '{field.column}' never occurs with a class; PMML then takes the "
            f"threshold ({threshold:g}) for its probability, which is not done here."
        )
    return Categorical(field.column, rows, 0.0)
