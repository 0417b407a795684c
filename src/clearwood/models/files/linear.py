"""A linear model as JSON text, and back: one term a line, columns and values by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from clearwood.errors import ModelFileError, TableError
from clearwood.models.files.fields import as_list, as_number, fields, refuse
from clearwood.models.files.heading import HEADING, dumps, heading_lines, read_heading
from clearwood.models.files.version_1 import penalised
from clearwood.models.linear_model import (
    AttributeTest,
    Fit,
    LeftOut,
    LinearModel,
    Missing,
    Number,
    Separation,
    Term,
    Value,
)

T = TypeVar("T")

_FIELDS: Final = (
    "contrasts",
    "against",
    "intercepts",
    "terms",
    "dependent",
    "references",
    "fills",
    "left_out",
)
_FIT: Final = ("rows", "weight", "log_likelihood", "null_log_likelihood", "iterations", "converged")
_FIT_MORE: Final = ("errors", "covariance", "tests", "separation", "notes")
_TESTS: Final = ("wald", "likelihood ratio")


def linear_to_json(model: LinearModel) -> str:
    """The whole text of a model file."""
    heading = "".join(heading_lines("linear", model.schema, model.origin, model.decision))
    terms = [
        dumps({**_term_to_json(term), "weights": [row[i] for row in model.weights]})
        for i, term in enumerate(model.terms)
    ]
    listed = "[\n  " + ",\n  ".join(terms) + "\n ]" if terms else "[]"
    lines = {
        "contrasts": dumps(model.contrasts),
        "against": dumps(model.against),
        "intercepts": dumps(model.intercepts),
        "terms": listed,
        "dependent": dumps([_term_to_json(term) for term in model.dependent]),
        "references": dumps(dict(model.references)),
        "fills": dumps(dict(model.fills)),
        "left_out": dumps([{"what": each.what, "because": each.because} for each in model.left_out]),
        "fit": dumps(None if model.fit is None else _fit_to_json(model.fit)),
    }
    return "{\n" + heading + ",\n".join(f' "{key}": {text}' for key, text in lines.items()) + "\n}\n"


def linear_from_json(data: Mapping[str, Any]) -> LinearModel:
    """The model in the fields of a model file, its heading (format, version, model) left out."""
    fields(data, "the file", required=(*HEADING, *_FIELDS, "fit"))
    schema, origin, decision = read_heading(data)
    terms, weights = [], []
    for i, entry in enumerate(as_list(data["terms"], "terms")):
        where = f"terms[{i}]"
        fields(entry, where, required=("column", "weights"), optional=("is", "missing"))
        terms.append(_term(entry, where))
        weights.append(_numbers(entry["weights"], f"{where}.weights"))
    contrasts = _texts(data["contrasts"], "contrasts")
    for i, row in enumerate(weights):
        if len(row) != len(contrasts):
            refuse(f"terms[{i}].weights", f"must be {len(contrasts)} numbers, one a contrast", len(row))
    against = data["against"]
    if against is not None and not isinstance(against, str):
        refuse("against", "must be a class or null", against)
    dependent = []
    for i, entry in enumerate(as_list(data["dependent"], "dependent")):
        fields(entry, f"dependent[{i}]", required=("column",), optional=("is", "missing"))
        dependent.append(_term(entry, f"dependent[{i}]"))
    try:
        return LinearModel(
            schema=schema,
            contrasts=contrasts,
            against=against,
            terms=tuple(terms),
            intercepts=_numbers(data["intercepts"], "intercepts"),
            weights=tuple(tuple(row[c] for row in weights) for c in range(len(contrasts))),
            references=_by_name(data["references"], "references", _text),
            fills=_by_name(data["fills"], "fills", _text_or_number),
            dependent=tuple(dependent),
            left_out=tuple(_left_out(e, i) for i, e in enumerate(as_list(data["left_out"], "left_out"))),
            fit=None if data["fit"] is None else _fit(data["fit"]),
            decision=decision,
            origin=origin,
            penalised=penalised(origin),
        )
    except (TableError, TypeError) as error:
        raise ModelFileError(f"not a linear model: {error}") from None


def _term_to_json(term: Term) -> dict[str, Any]:
    match term:
        case Number(name):
            return {"column": name}
        case Value(name, value):
            return {"column": name, "is": value}
        case Missing(name):
            return {"column": name, "missing": True}


def _term(entry: Mapping[str, Any], where: str) -> Term:
    name = _text(entry["column"], f"{where}.column")
    if "is" in entry and "missing" in entry:
        refuse(where, "must have 'is' or 'missing', not both", sorted(entry))
    if "is" in entry:
        return Value(name, _text(entry["is"], f"{where}.is"))
    if "missing" in entry:
        if entry["missing"] is not True:
            refuse(f"{where}.missing", "must be true", entry["missing"])
        return Missing(name)
    return Number(name)


def _fit_to_json(fit: Fit) -> dict[str, Any]:
    tests = [
        {"column": t.name, "kind": t.kind, "statistic": t.statistic, "df": t.df, "p": t.p} for t in fit.tests
    ]
    separation = fit.separation and {
        "complete": fit.separation.complete,
        "directions": fit.separation.directions,
        "because": fit.separation.because,
    }
    plain = {key: getattr(fit, key) for key in (*_FIT, "errors", "covariance", "notes")}
    return {**plain, "tests": tests, "separation": separation}


def _fit(data: Any) -> Fit:
    fields(data, "fit", required=(*_FIT, *_FIT_MORE))
    if type(data["rows"]) is not int or data["rows"] < 0:
        refuse("fit.rows", "must be a whole number ≥ 0", data["rows"])
    return Fit(
        rows=data["rows"],
        weight=as_number(data["weight"], "fit", "weight", 0.0),
        log_likelihood=as_number(data["log_likelihood"], "fit", "log_likelihood"),
        null_log_likelihood=as_number(data["null_log_likelihood"], "fit", "null_log_likelihood"),
        iterations=_numbers(data["iterations"], "fit.iterations"),
        converged=_flag(data["converged"], "fit.converged"),
        errors=tuple(_errors(row, c) for c, row in enumerate(as_list(data["errors"], "fit.errors"))),
        covariance=_numbers(data["covariance"], "fit.covariance"),
        tests=tuple(_test(each, i) for i, each in enumerate(as_list(data["tests"], "fit.tests"))),
        separation=None if data["separation"] is None else _separation(data["separation"]),
        notes=_texts(data["notes"], "fit.notes"),
    )


def _errors(row: Any, contrast: int) -> tuple[float | None, ...]:
    where = f"fit.errors[{contrast}]"
    found = as_list(row, where)
    for j, each in enumerate(found):
        if each is not None and not as_number(each, where, str(j), 0.0):
            refuse(f"{where}.{j}", "must be above 0, or null", each)
    return tuple(None if each is None else float(each) for each in found)


def _test(entry: Any, i: int) -> AttributeTest:
    where = f"fit.tests[{i}]"
    fields(entry, where, required=("column", "kind", "statistic", "df", "p"))
    if entry["kind"] not in _TESTS:
        refuse(f"{where}.kind", f"must be one of {', '.join(_TESTS)}", entry["kind"])
    if type(entry["df"]) is not int or entry["df"] < 1:
        refuse(f"{where}.df", "must be a whole number ≥ 1", entry["df"])
    statistic = as_number(entry["statistic"], where, "statistic", 0.0)
    p = as_number(entry["p"], where, "p", 0.0, 1.0)
    return AttributeTest(_text(entry["column"], f"{where}.column"), entry["kind"], statistic, entry["df"], p)


def _separation(data: Any) -> Separation:
    fields(data, "fit.separation", required=("complete", "directions", "because"))
    where = "fit.separation.directions"
    lines = [as_list(row, f"{where}[{c}]") for c, row in enumerate(as_list(data["directions"], where))]
    for c, row in enumerate(lines):
        for j, each in enumerate(row):
            if type(each) is not int or each not in (-1, 0, 1):
                refuse(f"{where}[{c}][{j}]", "must be -1, 0 or 1", each)
    complete = _flag(data["complete"], "fit.separation.complete")
    return Separation(complete, tuple(map(tuple, lines)), _texts(data["because"], "fit.separation.because"))


def _left_out(entry: Any, i: int) -> LeftOut:
    where = f"left_out[{i}]"
    fields(entry, where, required=("what", "because"))
    return LeftOut(_text(entry["what"], f"{where}.what"), _text(entry["because"], f"{where}.because"))


def _by_name(data: Any, where: str, read: Callable[[Any, str], T]) -> dict[str, T]:
    if not isinstance(data, dict):
        refuse(where, "must be an object", data)
    return {name: read(each, f"{where}.{name}") for name, each in data.items()}


def _numbers(data: Any, where: str) -> tuple[float, ...]:
    found = as_list(data, where)
    for i, each in enumerate(found):
        if type(each) not in (int, float) or not abs(each) <= sys.float_info.max:
            refuse(f"{where}[{i}]", "must be a finite number", each)
    return tuple(map(float, found))


def _texts(data: Any, where: str) -> tuple[str, ...]:
    return tuple(_text(each, f"{where}[{i}]") for i, each in enumerate(as_list(data, where)))


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        refuse(where, "must be text", value)
    return value


def _text_or_number(value: Any, where: str) -> str | float:
    if isinstance(value, str):
        return value
    if type(value) not in (int, float) or not abs(value) <= sys.float_info.max:
        refuse(where, "must be text or a finite number", value)
    return float(value)


def _flag(value: Any, where: str) -> bool:
    if type(value) is not bool:
        refuse(where, "must be true or false", value)
    return value
