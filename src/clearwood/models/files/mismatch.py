"""Mismatch: the first place where data from a file is not of its form, in one sentence.

`msgspec` finds out quickly whether data fits; only where it does not are the types walked here, beside the
data, so that the sentence has our words, the place, and the way out.
"""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import inspect as types

from clearwood.errors import no_such
from clearwood.models.files.forms import MOST, place_of, value_text

_WORDS: Final[dict[type[Any], str]] = {
    types.StrType: "text",
    types.IntType: "a whole number",
    types.FloatType: "a finite number",
    types.BoolType: "true or false",
    types.NoneType: "null",
    types.ListType: "a list",
    types.VarTupleType: "a list",
    types.TupleType: "a list",
    types.DictType: "an object",
    types.StructType: "an object",
}


def mismatch(data: Any, form: Any, where: str) -> str | None:
    """What is wrong, with its place below `where`; None where the data fits."""
    return _wrong(data, types.type_info(form), where, where)


def _wrong(data: Any, kind: Any, where: str, field: str) -> str | None:
    match kind:
        case types.Metadata(inner, extra=extra):
            mismatch = _wrong(data, inner, where, field)
            return (
                f"{where} {extra['demand']}, not {value_text(data)}."
                if mismatch and extra and "demand" in extra
                else mismatch
            )
        case types.AnyType():
            return None
        case types.StructType():
            return _of_struct(data, kind, where)
        case types.DictType():
            return _of_object(data, kind, where)
        case types.ListType() | types.VarTupleType() | types.TupleType():
            return _of_list(data, kind, where, field)
        case types.UnionType():
            return _of_union(data, kind, where, field)
        case types.LiteralType():
            if isinstance(data, str) and all(isinstance(each, str) for each in kind.values):
                return None if data in kind.values else f"{where}: {_unknown(field, data, kind)}"
            known = any(type(data) is type(each) and data == each for each in kind.values)
            return (
                None if known else f"{where} must be one of {_listed(kind.values)}, not {value_text(data)}."
            )
        case _:
            return None if _fits(data, kind) else f"{where} must be {_demand(kind)}, not {value_text(data)}."


def _of_struct(data: Any, kind: types.StructType, where: str) -> str | None:
    if not isinstance(data, dict):
        return f"{where} must be an object, not {value_text(data)}."
    names = [each.encode_name for each in kind.fields]
    if kind.tag_field:
        names.insert(0, kind.tag_field)
    for each in kind.fields:
        if each.required and each.encode_name not in data:
            return f"{where or 'the file'}: '{each.encode_name}' is missing."
    for name in data:
        if name not in names:
            return f"{where or 'the file'}: {no_such('field', name, names)}"
    for each in kind.fields:
        name = each.encode_name
        if name in data and (mismatch := _wrong(data[name], each.type, place_of(where, name), name)):
            return mismatch
    return None


def _of_object(data: Any, kind: types.DictType, where: str) -> str | None:
    if not isinstance(data, dict):
        return f"{where} must be an object, not {value_text(data)}."
    mismatches = (_wrong(each, kind.value_type, place_of(where, name), name) for name, each in data.items())
    return next(filter(None, mismatches), None)


def _of_list(data: Any, kind: Any, where: str, field: str) -> str | None:
    if not isinstance(data, list):
        return f"{where} must be a list, not {value_text(data)}."
    if isinstance(kind, types.TupleType):
        if len(data) != len(kind.item_types):
            return f"{where} must be a list of {len(kind.item_types)}, not {value_text(data)}."
        pairs = list(zip(data, kind.item_types, strict=True))
    else:
        pairs = [(each, kind.item_type) for each in data]
    mismatches = (_wrong(each, of, place_of(where, i), field) for i, (each, of) in enumerate(pairs))
    return next(filter(None, mismatches), None)


def _of_union(data: Any, kind: types.UnionType, where: str, field: str) -> str | None:
    inside = [each for each in kind.types if not isinstance(each, types.NoneType)]
    if data is None and len(inside) < len(kind.types):
        return None
    structs = [each for each in inside if isinstance(each, types.StructType)]
    if structs and isinstance(data, dict):
        return _of_tagged(data, structs, where, field)
    mismatches = [_wrong(data, each, where, field) for each in inside]
    if None in mismatches:
        return None
    near = [each for each in inside if _alike(data, each)]
    if near or len(inside) == 1:
        return mismatches[inside.index((near or inside)[0])]
    demands = " or ".join(dict.fromkeys(_demand(each) for each in (*inside, *_null(kind))))
    return f"{where} must be {demands}, not {value_text(data)}."


def _of_tagged(data: dict[str, Any], structs: list[types.StructType], where: str, field: str) -> str | None:
    name = structs[0].tag_field
    if name is None:
        return _of_struct(data, structs[0], where)
    tags = [str(each.tag) for each in structs]
    if name not in data:
        return f"{where}: '{name}' is missing."
    if data[name] not in tags:
        what = f"{name} of {field.removesuffix('s')}"
        return f"{where}: {no_such(what, str(data[name]), tags, plural=f'{name}s')}"
    return _of_struct(data, structs[tags.index(data[name])], where)


def _alike(data: Any, kind: Any) -> bool:
    """Is this the kind that was meant, its value apart?"""
    match _bare(kind):
        case types.LiteralType() | types.StrType():
            return isinstance(data, str)
        case types.IntType() | types.FloatType():
            return isinstance(data, int | float) and not isinstance(data, bool)
        case types.ListType() | types.VarTupleType() | types.TupleType():
            return isinstance(data, list)
        case types.StructType() | types.DictType():
            return isinstance(data, dict)
        case _:
            return False


def _fits(data: Any, kind: Any) -> bool:
    match kind:
        case types.StrType():
            return isinstance(data, str) and (kind.pattern is None or bool(re.search(kind.pattern, data)))
        case types.BoolType():
            return isinstance(data, bool)
        case types.NoneType():
            return data is None
        case types.IntType():
            return type(data) is int and _within(data, kind)
        case types.FloatType():
            return type(data) in (int, float) and -MOST <= data <= MOST and _within(data, kind)
        case _:
            raise TypeError(f"{kind} is not walked.")


def _within(data: float, kind: Any) -> bool:
    return (
        (kind.ge is None or data >= kind.ge)
        and (kind.gt is None or data > kind.gt)
        and (kind.le is None or data <= kind.le)
    )


def _demand(kind: Any) -> str:
    kind = _bare(kind)
    if isinstance(kind, types.LiteralType):
        return f"one of {_listed(kind.values)}"
    word = _WORDS[type(kind)]
    if not isinstance(kind, types.IntType | types.FloatType):
        return word
    if kind.gt is not None:
        return f"{word} above {kind.gt:g}"
    if kind.ge is None or kind.ge <= -MOST:
        return word
    return (
        f"{word} ≥ {kind.ge:g}"
        if kind.le is None or kind.le >= MOST
        else f"{word} from {kind.ge:g} to {kind.le:g}"
    )


def _unknown(field: str, data: str, kind: types.LiteralType) -> str:
    plural = "choices" if "_" in field else field if field.endswith("s") else f"{field}s"
    return no_such(
        f"{field.replace('_', ' ')} called", data, [str(each) for each in kind.values], plural=plural
    )


def _bare(kind: Any) -> Any:
    return _bare(kind.type) if isinstance(kind, types.Metadata) else kind


def _null(kind: types.UnionType) -> list[Any]:
    return [each for each in kind.types if isinstance(each, types.NoneType)]


def _listed(values: tuple[Any, ...]) -> str:
    return ", ".join(map(str, values))
