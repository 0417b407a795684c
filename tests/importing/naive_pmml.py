"""PMML scored by the letter of its specification, and random documents: the oracle of the importer."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np

Row = Mapping[str, float | str | None]
VALUES = ("a", "b", "c", "d")
CLASSES = ("no", "yes", "maybe")
_NAMESPACE = "{http://www.dmg.org/PMML-4_4}"


@dataclass(frozen=True)
class Document:
    """A document as text, and its tree as elements."""

    text: str

    @property
    def model(self) -> ElementTree.Element:
        return next(each for each in ElementTree.fromstring(self.text) if each.tag.endswith("TreeModel"))


def truth(predicate: ElementTree.Element, row: Row, single: frozenset[str]) -> bool | None:
    """True, False or unknown."""
    kind = predicate.tag.removeprefix(_NAMESPACE)
    if kind in ("True", "False"):
        return kind == "True"
    if kind == "CompoundPredicate":
        parts = [truth(each, row, single) for each in predicate]
        match predicate.get("booleanOperator"):
            case "and":
                return False if False in parts else None if None in parts else True
            case "or":
                return True if True in parts else None if None in parts else False
            case _:
                return next((each for each in parts if each is not None), None)
    name = predicate.get("field", "")
    cell = row[name]
    operator = predicate.get("operator", "")
    if operator in ("isMissing", "isNotMissing"):
        return (cell is None) is (operator == "isMissing")
    if cell is None:
        return None
    if kind == "SimpleSetPredicate":
        inside = cell in (predicate[0].text or "").replace('"', "").split()
        return inside is (predicate.get("booleanOperator") == "isIn")
    text = predicate.get("value", "")
    if isinstance(cell, str):
        return (cell == text) is (operator == "equal")
    value = float(text)
    if name in single:
        cell, value = float(np.float32(cell)), float(np.float32(value))
    return {
        "lessThan": cell < value,
        "lessOrEqual": cell <= value,
        "greaterThan": cell > value,
        "greaterOrEqual": cell >= value,
        "equal": cell == value,
        "notEqual": cell != value,
    }[operator]


def scored(
    document: Document, row: Row, single: frozenset[str] = frozenset()
) -> tuple[str, dict[str, float]] | None:
    """The class and its confidences; None: no prediction."""
    model = document.model
    root = next(each for each in model if each.tag.endswith("}Node"))
    return _scored(root, row, model.attrib, single)


def _scored(
    node: ElementTree.Element, row: Row, how: Mapping[str, str], single: frozenset[str]
) -> tuple[str, dict[str, float]] | None:
    children = [each for each in node if each.tag.endswith("}Node")]
    if not children:
        return _own(node)
    strategy = how.get("missingValueStrategy", "none")
    truths = [truth(_predicate(child), row, single) for child in children]
    for child, holds in zip(children, truths, strict=True):
        if holds:
            return _scored(child, row, how, single)
        if holds is None:
            match strategy:
                case "nullPrediction":
                    return None
                case "lastPrediction":
                    return _own(node)
                case "defaultChild":
                    default = [each for each in children if each.get("id") == node.get("defaultChild")]
                    return _scored(default[0], row, how, single) if default else None
                case "weightedConfidence":
                    return _weighted(children, truths, row, how, single)
    return _own(node) if how.get("noTrueChildStrategy") == "returnLastPrediction" else None


def _weighted(
    children: list[ElementTree.Element],
    truths: list[bool | None],
    row: Row,
    how: Mapping[str, str],
    single: frozenset[str],
) -> tuple[str, dict[str, float]] | None:
    asked = [child for child, holds in zip(children, truths, strict=True) if holds is not False]
    total = sum(float(child.get("recordCount", "0")) for child in asked)
    sums = dict.fromkeys(CLASSES, 0.0)
    for child in asked:
        answer = _scored(child, row, how, single)
        assert answer is not None
        for name, share in answer[1].items():
            sums[name] += share * float(child.get("recordCount", "0")) / total
    return max(sums, key=sums.__getitem__), sums


def _own(node: ElementTree.Element) -> tuple[str, dict[str, float]] | None:
    score = node.get("score")
    if score is None:
        return None
    counts = dict.fromkeys(CLASSES, 0.0)
    for each in node:
        if each.tag.endswith("}ScoreDistribution"):
            counts[each.get("value", "")] = float(each.get("recordCount", "0"))
    total = sum(counts.values())
    return score, {name: count / total for name, count in counts.items()}


def _predicate(node: ElementTree.Element) -> ElementTree.Element:
    return next(each for each in node if "Predicate" in each.tag or each.tag.endswith(("}True", "}False")))


def random_document(seed: int) -> Document:
    """A tree over the numbers x and y (x in single precision) and the value c."""
    draw = random.Random(seed)
    strategy = draw.choice(("none", "nullPrediction", "lastPrediction", "defaultChild", "weightedConfidence"))
    simple = strategy == "weightedConfidence" or draw.random() < 0.5
    rest = draw.choice(("returnNullPrediction", "returnLastPrediction"))
    root = _random_node(draw, "<True/>", 3, strategy, simple, "n")
    return document_of(root, f'missingValueStrategy="{strategy}" noTrueChildStrategy="{rest}"')


def document_of(root: str, how: str, function: str = "classification", extra: str = "") -> Document:
    values = "".join(f'<Value value="{each}"/>' for each in VALUES)
    classes = "".join(f'<Value value="{each}"/>' for each in CLASSES)
    target = (
        f'<DataField name="play" optype="categorical" dataType="string">{classes}</DataField>'
        if function == "classification"
        else '<DataField name="play" optype="continuous" dataType="double"/>'
    )
    return Document(
        f"""<?xml version="1.0" encoding="UTF-8"?>
<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">
<Header><Application name="by hand" version="1"/></Header>
<DataDictionary>
<DataField name="x" optype="continuous" dataType="float"/>
<DataField name="y" optype="continuous" dataType="double"/>
<DataField name="c" optype="categorical" dataType="string">{values}</DataField>
{target}
</DataDictionary>
<TreeModel functionName="{function}" {how}>
<MiningSchema><MiningField name="x" {extra}/><MiningField name="y"/><MiningField name="c"/>
<MiningField name="play" usageType="target"/></MiningSchema>
{root}
</TreeModel></PMML>"""
    )


def _random_node(
    draw: random.Random, predicate: str, depth: int, strategy: str, simple: bool, name: str
) -> str:
    counts = [draw.randrange(1, 20) for _ in CLASSES]
    largest = CLASSES[counts.index(max(counts))]
    score = largest if simple or draw.random() < 0.9 else draw.choice(CLASSES)
    shares = "".join(
        f'<ScoreDistribution value="{each}" recordCount="{count}"/>'
        for each, count in zip(CLASSES, counts, strict=True)
    )
    below, default = "", ""
    if depth and (depth == 3 or draw.random() < 0.7):
        asked = _pair(draw, simple)
        children = [
            _random_node(draw, each, depth - 1, strategy, simple, f"{name}{place}")
            for place, each in enumerate(asked)
        ]
        below = "".join(children)
        if strategy == "defaultChild" or draw.random() < 0.3:
            default = f' defaultChild="{name}{draw.randrange(len(children))}"'
    head = f'id="{name}" score="{score}" recordCount="{sum(counts)}"{default}'
    return f"<Node {head}>{predicate}{shares}{below}</Node>\n"


def _pair(draw: random.Random, simple: bool) -> list[str]:
    name = draw.choice("xyc")
    if name == "c":
        some = draw.sample(VALUES, draw.randrange(1, 4))
        array = f'<Array n="{len(some)}" type="string">{" ".join(some)}</Array>'
        pair = [
            f'<SimpleSetPredicate field="c" booleanOperator="{each}">{array}</SimpleSetPredicate>'
            for each in ("isIn", "isNotIn")
        ]
        if not simple and draw.random() < 0.3:
            pair[1] = _simple("c", "equal", draw.choice(VALUES))
    else:
        value = repr(round(draw.uniform(-1, 1), 2))
        operators = draw.choice(
            (("lessThan", "greaterOrEqual"), ("lessOrEqual", "greaterThan"), ("equal", "notEqual"))
        )
        pair = [_simple(name, each, value) for each in operators]
        if not simple and draw.random() < 0.2:
            pair[1] = _simple(name, "greaterThan", repr(round(draw.uniform(-1, 1), 2)))
    if simple:
        return pair
    kind = draw.random()
    if kind < 0.15:
        pair[1] = "<True/>"
    elif kind < 0.3:
        other = _simple(draw.choice("xy"), "lessThan", "0.25")
        operator = draw.choice(("and", "or"))
        pair[0] = f'<CompoundPredicate booleanOperator="{operator}">{pair[0]}{other}</CompoundPredicate>'
    elif kind < 0.4:
        missing = f'<SimplePredicate field="{name}" operator="isMissing"/>'
        pair[0] = f'<CompoundPredicate booleanOperator="or">{missing}{pair[0]}</CompoundPredicate>'
    elif kind < 0.6:
        others = draw.choice((("lessThan", "greaterOrEqual"), ("greaterThan", "lessOrEqual")))
        lasts = draw.choice((("", ""), ("<True/>", "<False/>")))
        pair = [_surrogate(*each) for each in zip(pair, others, lasts, strict=True)]
    return pair


def _surrogate(one: str, other: str, last: str) -> str:
    parts = f"{one}{_simple('y', other, '0.1')}{last}"
    return f'<CompoundPredicate booleanOperator="surrogate">{parts}</CompoundPredicate>'


def _simple(name: str, operator: str, value: str) -> str:
    return f'<SimplePredicate field="{name}" operator="{operator}" value="{value}"/>'


def random_rows(seed: int, count: int) -> list[dict[str, float | str | None]]:
    """Rows with empty cells, and numbers on thresholds and beside them."""
    draw = random.Random(seed)
    rows: list[dict[str, float | str | None]] = []
    for _ in range(count):
        row: dict[str, float | str | None] = {}
        for name in "xy":
            value = round(draw.uniform(-1, 1), 2)
            near = draw.choice(
                (value, np.nextafter(value, 9), np.nextafter(value, -9), float(np.float32(value)))
            )
            row[name] = None if draw.random() < 0.2 else float(near)
        row["c"] = None if draw.random() < 0.2 else draw.choice(VALUES)
        rows.append(row)
    return rows
