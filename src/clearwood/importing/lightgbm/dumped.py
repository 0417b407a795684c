"""LightGBM's JSON: `json.dump(booster.dump_model(), file)`."""

from __future__ import annotations

from typing import Any, Final

from clearwood.errors import ModelFileError
from clearwood.importing.importer import Content
from clearwood.importing.lightgbm.form import LightLeaf, LightModel, LightSplit, LightTree, MissingType
from clearwood.importing.strict_numbers import PartReader, json_in

_MISSING: Final[tuple[MissingType, ...]] = ("None", "Zero", "NaN")


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
        [_tree(each) for each in top.parts("tree_info")],
    )


def _tree(info: PartReader) -> LightTree:
    tree: dict[int, LightSplit | LightLeaf] = {}
    waiting = [info.part("tree_structure")]
    numbers: dict[int, int] = {}  # of the objects, as they are met
    next_number = 0

    def number_of(node: PartReader) -> int:
        nonlocal next_number
        numbers[id(node.data)] = next_number
        next_number += 1
        return next_number - 1

    number_of(waiting[0])
    while waiting:
        node = waiting.pop()
        number = numbers[id(node.data)]
        if "leaf_coeff" in node.data:
            raise ModelFileError(
                f"{info.where} has linear models in its leaves, which a leaf here cannot have."
            )
        if "leaf_value" in node.data:
            tree[number] = LightLeaf(node.number("leaf_value"), _count(node))
            continue
        left, right = node.part("left_child"), node.part("right_child")
        waiting += [left, right]
        tree[number] = _split(node, number_of(left), number_of(right))
    return tree


def _count(leaf: PartReader) -> float:
    return leaf.number("leaf_count") if "leaf_count" in leaf.data else 0.0


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
