"""No silent default: where code looks at what kind a thing is, a kind it does not name is refused.

A model, a condition, a column, a distribution, an outcome, a term, an entry of a lineage and the like that is
new would otherwise be taken for the one that happens to come last, or be passed over.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

from clearwood.explaining.number_line import NumberLine
from clearwood.explaining.one_row import Constraints
from clearwood.formulas.conditions import Condition
from clearwood.formulas.expressions import Expression
from clearwood.models.decision import Calibrator
from clearwood.models.kinds.bayes.distributions import Distribution
from clearwood.models.kinds.kind import ColumnProfile
from clearwood.models.kinds.linear.linear_model import Term
from clearwood.models.lineage import Done
from clearwood.models.model import Model
from clearwood.predicting.batch import _batch_of
from clearwood.predicting.unusable import rule_for_unusable
from clearwood.reporting.model_json import letters_for_page, model_for_page
from clearwood.study.designs import Design
from clearwood.table.attributes import Attribute
from clearwood.working.derivation import Outcome
from tests.source_code import SOURCE, parsed_sources

UNIONS = (
    Model,
    Condition,
    Attribute,
    Distribution,
    Outcome,
    Term,
    Done,
    Calibrator,
    Design,
    Expression,
    ColumnProfile,
)
KINDS = [frozenset(f"{kind.__module__}.{kind.__name__}" for kind in get_args(union)) for union in UNIONS]
TREE = {"Tree": "clearwood.models.kinds.tree.tree.Tree"}


@pytest.mark.slow
def test_the_last_case_of_a_match_over_kinds_is_a_refusal() -> None:
    for path, tree in parsed_sources():
        called = _called(tree, path)
        matches = [each for each in ast.walk(tree) if isinstance(each, ast.Match)]
        silent = [each.lineno for each in matches if _is_silent(each, called)]
        assert not silent, f"{path.relative_to(SOURCE).as_posix()}: lines {silent}"


@pytest.mark.slow
def test_a_table_by_kind_has_every_kind() -> None:
    for path, tree in parsed_sources():
        called = _called(tree, path)
        for table in ast.walk(tree):
            if isinstance(table, ast.Dict):
                keys = {called.get(key.id, "") for key in table.keys if isinstance(key, ast.Name)}
                for kinds in KINDS:
                    if len(keys & kinds) > 1:
                        assert keys >= kinds, f"{path}:{table.lineno} lacks {sorted(kinds - keys)}"


def _called(tree: ast.Module, path: Path) -> dict[str, str]:
    """The names that a module has for classes, and where each comes from."""
    own = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
    actual = {each.name: f"{own}.{each.name}" for each in tree.body if isinstance(each, ast.ClassDef)}
    for each in ast.walk(tree):
        if isinstance(each, ast.ImportFrom):
            actual |= {name.asname or name.name: f"{each.module}.{name.name}" for name in each.names}
    return actual


@pytest.mark.parametrize("last", ["return 0", "pass", "continue", "print(1)"])
def test_a_default_that_does_something_is_silent(last: str) -> None:
    assert _is_silent(_match(f"match x:\n  case Tree():\n    return 1\n  case _:\n    {last}"), TREE)


@pytest.mark.parametrize("last", ["assert_never(x)", "raise ValueError(x)", "return refuse(x)"])
def test_a_default_that_refuses_is_not(last: str) -> None:
    assert not _is_silent(_match(f"match x:\n  case Tree():\n    return 1\n  case _:\n    {last}"), TREE)


def test_no_default_at_all_is_silent_too_since_a_new_kind_would_be_passed_over() -> None:
    some = "match x:\n  case Tree():\n    y = 1"
    kinds = ("Tree", "RuleList", "BayesTables", "LinearModel")
    every = some + "".join(f"\n  case {kind}():\n    y = 2" for kind in kinds[1:])
    called = {kind.__name__: f"{kind.__module__}.{kind.__name__}" for kind in get_args(Model)}
    assert _is_silent(_match(some), called)
    assert _is_silent(_match(every), called)


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: NumberLine("x", None, (0.0, 1.0), model, Constraints()),
        lambda model: rule_for_unusable(model, "x"),
        _batch_of,
        model_for_page,
        letters_for_page,
    ],
)
def test_a_model_of_a_new_kind_is_taken_for_no_other(ask: Callable[[Any], object]) -> None:
    with pytest.raises((AssertionError, TypeError), match=r"unreachable|is no model"):
        ask(object())


def _match(text: str) -> ast.Match:
    function = "def f(x):\n" + "\n".join(f"  {line}" for line in text.split("\n"))
    return next(each for each in ast.walk(ast.parse(function)) if isinstance(each, ast.Match))


def _is_silent(match: ast.Match, called: Mapping[str, str]) -> bool:
    """Does it look at kinds, and take any other for something?"""
    named = {called.get(name, "") for case in match.cases for name in _classes(case.pattern)}
    last = match.cases[-1]
    is_default = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
    return any(named & kinds for kinds in KINDS) and not (is_default and _refuses(last.body[-1]))


def _refuses(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Raise):
        return True
    call = statement.value if isinstance(statement, ast.Expr | ast.Return) else None
    name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
    return name in ("assert_never", "refuse")


def _classes(pattern: ast.pattern) -> Iterator[str]:
    for each in ast.walk(pattern):
        if isinstance(each, ast.MatchClass):
            yield each.cls.id if isinstance(each.cls, ast.Name) else ""
