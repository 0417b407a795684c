"""LightGBM's model in one form, from either of its files: text (save_model) or JSON (dump_model)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from clearwood.errors import ModelFileError
from clearwood.importing.importer import Content
from clearwood.importing.strict_files import PartReader, json_in

_MISSING: Final[tuple[MissingType, ...]] = ("None", "Zero", "NaN")


def is_text(content: Content) -> bool:
    return content.start.startswith(b"tree\n") or content.start.startswith(b"tree\r\n")


def read_light_text(content: Content) -> LightModel:
    """The model in such a text."""
    try:
        text = content.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ModelFileError(f"{content.where}: not UTF-8 text.") from None
    trees, end, rest = text.partition("\nend of trees")
    if not end:
        raise ModelFileError(
            f"{content.where}: the trees do not end: the file is cut off. Save the model again."
        )
    if "\nparameters:" in rest and "\nend of parameters" not in rest:  # the names of values come later
        raise ModelFileError(
            f"{content.where}: the parameters do not end: the file is cut off. Save the model again."
        )
    head, *blocks = trees.split("\nTree=")
    fields = _fields(head)
    names = fields.get("feature_names", "").split()
    infos = fields.get("feature_infos", "").split()
    categorical = {
        place: [int(code) for code in info.split(":") if code.lstrip("-").isdigit()]
        for place, info in enumerate(infos)
        if info != "none" and not info.startswith("[")
    }
    return LightModel(
        fields.get("version", ""),
        fields.get("objective", ""),
        names,
        _whole(fields, "num_class", content.where),
        _whole(fields, "num_tree_per_iteration", content.where),
        "average_output" in head.splitlines(),
        categorical,
        _declared(rest),
        _pandas(rest, content.where),
        [_tree(block, f"{content.where}, tree {place}") for place, block in enumerate(blocks)],
    )


def _fields(block: str) -> dict[str, str]:
    pairs = (line.partition("=") for line in block.splitlines())
    return {name: value for name, equals, value in pairs if equals}


def _declared(rest: str) -> list[int]:
    for line in rest.splitlines():
        if line.startswith("[categorical_feature: "):
            given = line.removeprefix("[categorical_feature: ").rstrip("]")
            return [int(each) for each in given.split(",") if each.strip().isdigit()]
    return []


def _pandas(rest: str, where: str) -> list[list[Any]]:
    for line in rest.splitlines():
        if line.startswith("pandas_categorical:"):
            try:
                values = json.loads(line.removeprefix("pandas_categorical:"))
            except ValueError:
                raise ModelFileError(
                    f"{where}: pandas_categorical is no JSON. Save the model again."
                ) from None
            if isinstance(values, list) and all(isinstance(each, list) for each in values):
                return values
    return []


def _tree(block: str, where: str) -> LightTree:
    fields = _fields(block)
    if fields.get("is_linear", "0") != "0":
        raise ModelFileError(f"{where} has linear models in its leaves, which a leaf here cannot have.")
    leaves = _whole(fields, "num_leaves", where)
    counts = [0.0] * leaves if leaves == 1 and not fields.get("leaf_count") else None
    tree: dict[int, LightSplit | LightLeaf] = {}
    weights = counts or _numbers(fields, "leaf_count", leaves, where)
    for leaf, (value, count) in enumerate(
        zip(_numbers(fields, "leaf_value", leaves, where), weights, strict=True)
    ):
        tree[-1 - leaf] = LightLeaf(value, count)
    if leaves == 1:
        return tree
    splits = leaves - 1
    features = _wholes(fields, "split_feature", splits, where)
    thresholds = _numbers(fields, "threshold", splits, where)
    kinds = _wholes(fields, "decision_type", splits, where)
    left = _wholes(fields, "left_child", splits, where)
    right = _wholes(fields, "right_child", splits, where)
    gains = _numbers(fields, "split_gain", splits, where)
    for node in range(splits):
        kind = kinds[node]
        missing = (kind >> 2) & 3
        if missing > 2:
            raise ModelFileError(f"{where}: decision_type {kind} is not known.")
        is_set = bool(kind & 1)
        threshold: float | frozenset[int] = thresholds[node]
        if is_set:
            threshold = _bits(fields, _as_whole(thresholds[node], "threshold", where), where)
        tree[node] = LightSplit(
            features[node], threshold, _MISSING[missing], bool(kind & 2), left[node], right[node], gains[node]
        )
    return tree


def _bits(fields: dict[str, str], place: int, where: str) -> frozenset[int]:
    """The categories whose bits are set in the words of the set at this place."""
    bounds = _wholes(fields, "cat_boundaries", None, where)
    words = _wholes(fields, "cat_threshold", None, where)
    if not 0 <= place < len(bounds) - 1 or not 0 <= bounds[place] <= bounds[place + 1] <= len(words):
        raise ModelFileError(f"{where}: there is no set {place} of categories.")
    own = words[bounds[place] : bounds[place + 1]]
    if not all(0 <= word < 2**32 for word in own):
        raise ModelFileError(f"{where}: 'cat_threshold' must be words of 32 bits.")
    return frozenset(32 * i + bit for i, word in enumerate(own) for bit in range(32) if (word >> bit) & 1)


def _whole(fields: dict[str, str], name: str, where: str) -> int:
    try:
        return int(_plain(fields[name]))
    except (KeyError, ValueError):
        raise ModelFileError(f"{where}: '{name}' must be a whole number.") from None


def _plain(text: str) -> str:
    """A number as LightGBM writes it: Python also reads 1_0 as ten, and digits of other scripts."""
    if not text.isascii() or "_" in text:
        raise ValueError(text)
    return text


def _wholes(fields: dict[str, str], name: str, length: int | None, where: str) -> list[int]:
    """Numbers that are places, kinds or bits: a fraction is none of these, and nothing cuts it off."""
    return [_as_whole(each, name, where) for each in _numbers(fields, name, length, where)]


def _as_whole(number: float, name: str, where: str) -> int:
    if not number.is_integer() or abs(number) >= 2**53:
        raise ModelFileError(f"{where}: '{name}' holds {number:g}, where a whole number must stand.")
    return int(number)


def _numbers(fields: dict[str, str], name: str, length: int | None, where: str) -> list[float]:
    try:
        values = [float(each) for each in _plain(fields[name]).split()]
    except (KeyError, ValueError):
        raise ModelFileError(f"{where}: '{name}' must be numbers.") from None
    # A threshold may be infinite, where only empty cells are told from the others.
    known = all(not math.isnan(each) if name == "threshold" else math.isfinite(each) for each in values)
    if not known or (length is not None and len(values) != length):
        raise ModelFileError(f"{where}: '{name}' must be {length} finite numbers. Is the file cut off?")
    return values


MissingType: TypeAlias = Literal["None", "Zero", "NaN"]


@dataclass(frozen=True, slots=True)
class LightSplit:
    feature: int
    threshold: float | frozenset[int]
    missing: MissingType
    default_left: bool
    left: int
    right: int
    gain: float


@dataclass(frozen=True, slots=True)
class LightLeaf:
    value: float
    count: float


LightTree: TypeAlias = Mapping[int, LightSplit | LightLeaf]


@dataclass(frozen=True, slots=True)
class LightModel:
    """`categorical` are the places of features that are categories, with the codes met, where the file says
    so; `pandas` the names of the categories of pandas' columns, in order."""

    version: str
    objective: str
    names: Sequence[str]
    classes: int
    per_round: int
    averaged: bool
    categorical: Mapping[int, Sequence[int]]
    declared: Sequence[int]
    pandas: Sequence[Sequence[Any]]
    trees: Sequence[LightTree]


def is_dump(content: Content) -> bool:
    return content.start.startswith(b"{") and b'"num_tree_per_iteration"' in content.data


def read_dump(content: Content) -> LightModel:
    """The model in such a dump."""
    return model_of_dump(json_in(content), content.where)


def model_of_dump(data: dict[str, Any], where: str) -> LightModel:
    """The model in the dict that `dump_model` gives."""
    top = PartReader(data, where)
    names = top.names("feature_names")
    infos = top.part("feature_infos").data if data.get("feature_infos") else {}
    categorical = {
        names.index(name): PartReader(info, f"{where}, feature_infos of {name}").wholes("values")
        for name, info in infos.items()
        if name in names and isinstance(info, dict) and info.get("values")
    }
    pandas = data.get("pandas_categorical") or []
    if not isinstance(pandas, list) or not all(isinstance(each, list) for each in pandas):
        raise ModelFileError(f"{where}: 'pandas_categorical' must be lists of categories.")
    return LightModel(
        top.text("version", ""),
        top.text("objective", ""),
        names,
        top.whole("num_class"),
        top.whole("num_tree_per_iteration"),
        bool(data.get("average_output", False)),
        categorical,
        (),
        pandas,
        [_dumped_tree(each) for each in top.parts("tree_info")],
    )


def _dumped_tree(info: PartReader) -> LightTree:
    tree: dict[int, LightSplit | LightLeaf] = {}
    waiting = [(0, info.part("tree_structure"))]
    met = 1  # how many nodes have a number
    while waiting:
        number, node = waiting.pop()
        if "leaf_coeff" in node.data:
            raise ModelFileError(
                f"{info.where} has linear models in its leaves, which a leaf here cannot have."
            )
        if "leaf_value" in node.data:
            count = node.number("leaf_count") if "leaf_count" in node.data else 0.0
            tree[number] = LightLeaf(node.number("leaf_value"), count)
            continue
        waiting += [(met, node.part("left_child")), (met + 1, node.part("right_child"))]
        tree[number] = _split(node, met, met + 1)
        met += 2
    return tree


def _split(node: PartReader, left: int, right: int) -> LightSplit:
    kind, missing = node.text("decision_type"), node.text("missing_type", "None")
    if kind not in ("<=", "==") or missing not in _MISSING:
        raise ModelFileError(
            f"{node.where}: decision_type '{kind}' with missing_type '{missing}' is not known."
        )
    threshold: float | frozenset[int]
    if kind == "==":
        codes = node.text("threshold").split("||")
        if not all(code.isdigit() for code in codes):
            raise ModelFileError(f"{node.where}: the threshold of a set must be codes joined by ||.")
        threshold = frozenset(map(int, codes))
    else:
        threshold = node.number("threshold")
    return LightSplit(
        node.whole("split_feature"),
        threshold,
        missing,
        bool(node.data.get("default_left", False)),
        left,
        right,
        node.number("split_gain") if "split_gain" in node.data else 0.0,
    )
