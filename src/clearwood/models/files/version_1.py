"""Version 1 of the file as version 2 has it: fields in a body, meaning in the model, history as data.

Version 1 kept the body's fields beside the heading. What a model means was read from how it was learned, and
what was done to it since stood in the learner's name: "rules of C45, edited by hand".
"""

from __future__ import annotations

import ast
from typing import Any, Final

_HEADING: Final[tuple[str, ...]] = ("format", "version", "model", "schema", "origin", "decision")
_NO_DECISION: Final[dict[str, Any]] = {
    "cutoff": None, "refer": None, "calibration": None, "prevalence": [], "trained_at": [],
}  # fmt: skip


def upgraded(data: dict[str, Any]) -> dict[str, Any]:
    """The same file in version 2; what is not as it must be stays so, for the strict reading to refuse."""
    heading = {name: data[name] for name in _HEADING if name in data}
    body = {name: each for name, each in data.items() if name not in _HEADING}
    origin = heading.get("origin")
    settings = origin.get("settings") if isinstance(origin, dict) else None
    body = {**_meaning(data, origin, settings if isinstance(settings, dict) else {}), **body}
    if isinstance(origin, dict) and isinstance(origin.get("learner"), str) and isinstance(settings, dict):
        heading["origin"] = _origin(origin)
    decision = heading.get("decision")
    if isinstance(decision, dict):
        heading["decision"] = {**_NO_DECISION, **decision}
    return {**heading, "version": 2, "profile": None, "body": body}


def _meaning(data: dict[str, Any], origin: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """What the body says itself since version 2."""
    match data.get("model"):
        case "tree":
            learner = origin.get("learner") if isinstance(origin, dict) else None
            return {"answers": _answers(data, settings), "measure": _measure(data, learner, settings)}
        case "rules":
            return {"answers": _answers(data, settings)}
        case "linear":
            return {"penalised": settings.get("penalty") is not None, "averages": {}}
        case _:
            return {}


def _is_numeric(data: dict[str, Any]) -> bool:
    schema = data.get("schema")
    target = schema.get("target") if isinstance(schema, dict) else None
    return isinstance(target, dict) and target.get("kind") == "numeric"


def _answers(data: dict[str, Any], settings: dict[str, Any]) -> str:
    if not _is_numeric(data):
        return "shares"
    return "median" if settings.get("measure") == "absolute" else "mean"


def _measure(data: dict[str, Any], learner: Any, settings: dict[str, Any]) -> str:
    named, numeric = settings.get("measure"), _is_numeric(data)
    if isinstance(named, str) and named != "auto":
        return named
    if learner in ("C45", "CHAID"):
        return "squared" if numeric else "entropy"
    return ("squared" if numeric else "gini") if learner == "CART" else ""


def _origin(origin: dict[str, Any]) -> dict[str, Any]:
    learner, after = _lineage(origin["learner"])
    settings = _settings(learner, origin["settings"])
    simplified = settings.pop("simplified", None)
    if isinstance(simplified, dict):
        # Only a tree's rules, or rules, were simplified, and edits came later: the name kept them last.
        before = [each for each in after if each["did"] != "edited"]
        sizes = dict.fromkeys(("rules_before", "rules_after", "conditions_before", "conditions_after"), 0)
        entry = {"did": "simplified", "settings": simplified, **sizes}
        after = [*before, entry, *(each for each in after if each["did"] == "edited")]
    return {**origin, "learner": learner, "settings": settings, "after": after, "weights_are": None}


def _settings(learner: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings under today's names; a learner within them, which was kept as it prints, as data.

    >>> _settings("CN2", {"order": "unordered", "beam": 5})
    {'rules': 'unordered', 'beam': 5}
    >>> _settings("TreeRules", {"tree": "C45(min_rows=2)"})
    {'tree': {'learner': 'C45', 'settings': {'min_rows': 2}}}
    """
    match learner:
        case "CN2":
            return {"rules" if name == "order" else name: value for name, value in settings.items()}
        case "TreeRules":
            return {name: _made(value) if name == "tree" else value for name, value in settings.items()}
        case _:
            return dict(settings)


def _made(printed: Any) -> Any:
    try:
        call = ast.parse(str(printed), mode="eval").body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            given = {str(each.arg): _by_name(ast.literal_eval(each.value)) for each in call.keywords}
            return {"learner": call.func.id, "settings": given}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return printed


def _by_name(value: Any) -> Any:
    """Costs by pairs of classes, as JSON has them: by the true class, then by the answer."""
    if not isinstance(value, dict) or not all(isinstance(pair, tuple) for pair in value):
        return value
    rows: dict[str, dict[str, Any]] = {}
    for (true, answer), cost in value.items():
        rows.setdefault(true, {})[answer] = cost
    return rows


def _lineage(name: str) -> tuple[str, list[dict[str, Any]]]:
    """The learner in a name of version 1, and what the name says was done since.

    >>> _lineage("rules of C45")
    ('C45', [{'did': 'read as rules', 'may_be_empty': []}])
    """
    if name.endswith(", edited by hand"):
        learner, after = _lineage(name.removesuffix(", edited by hand"))
        # Which edits they were was not kept.
        return learner, [*after, {"did": "edited", "edit": "change", "rules": [], "text": "", "to": 0}]
    first, then, second = name.rpartition(", then ")
    if then:
        learner, after = _lineage(first)
        other, its_own = _lineage(second)
        unknown = {"settings": {}, "version": "", "fingerprint": "", "rows": 0, "weights_are": None}
        return learner, [*after, {"did": "joined", "other": {"learner": other, **unknown, "after": its_own}}]
    if name.startswith("rules of "):
        learner, after = _lineage(name.removeprefix("rules of "))
        return learner, [*after, {"did": "read as rules", "may_be_empty": []}]
    if name.startswith("weights of "):
        learner, after = _lineage(name.removeprefix("weights of "))
        return learner, [*after, {"did": "as weights"}]
    return name, []
