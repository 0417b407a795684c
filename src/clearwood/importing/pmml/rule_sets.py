"""A RuleSetModel: the first rule that hits, or the rules that vote by their weights."""

from __future__ import annotations

from clearwood.errors import ModelFileError
from clearwood.importing.pmml.as_rules import RuleWay, ways_of
from clearwood.importing.pmml.elements import Element
from clearwood.importing.pmml.fields import PmmlFields
from clearwood.importing.pmml.predicates import predicate_of
from clearwood.importing.pmml.tree_nodes import answer_of
from clearwood.models.origin import Origin
from clearwood.models.paths import merged_conditions
from clearwood.models.rule_list import Otherwise, Rule, RuleList
from clearwood.table.attributes import Numeric


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
