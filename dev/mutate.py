"""Mutate the package: damage one line at a time, and see whether the nearest tests notice.

`python dev/mutate.py src/clearwood/audit tests/audit --sample 40 --seed 0 --seconds 60` draws mutants of the
Python files of a folder (comparisons turned, operators exchanged, conditions negated, returns emptied), runs
the tests, and lists those that survive. The file is put back after each, also on Ctrl-C.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

_COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_WORKED_OUT: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A file with one thing changed: which node of its tree, as it is walked, and what is done to it."""

    path: Path
    place: int
    line: int
    about: str

    @property
    def text(self) -> str:
        """The whole file."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        node = next(each for at, each in enumerate(ast.walk(tree)) if at == self.place)
        change = _changed(node)
        assert change is not None
        change[1]()
        return ast.unparse(tree)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for place, node in enumerate(ast.walk(tree)):
        change = _changed(node)
        if change is not None:
            yield Mutant(path, place, getattr(node, "lineno", 0), change[0])


def _changed(node: ast.AST) -> tuple[str, Callable[[], None]] | None:
    """What can be done to a node, in words and as a deed."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in _COMPARED:
            other = _COMPARED[type(op)]
            return f"{type(op).__name__} → {other.__name__}", lambda: setattr(node, "ops", [other()])
        case ast.BinOp(op=op, left=left, right=right) if type(op) in _WORKED_OUT and not _is_type(
            left, right
        ):
            turned = _WORKED_OUT[type(op)]
            return f"{type(op).__name__} → {turned.__name__}", lambda: setattr(node, "op", turned())
        case ast.BoolOp(op=op):
            joined = ast.Or() if isinstance(op, ast.And) else ast.And()
            return "and ↔ or", lambda: setattr(node, "op", joined)
        case ast.If() | ast.IfExp() | ast.While():
            return "negated", lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            return "returns nothing", lambda: setattr(node, "value", ast.Constant(None))
        case _:
            return None


def _is_type(*sides: ast.expr) -> bool:
    """Is this a union of types, which is written as a sum of bits?"""
    return any(
        (
            isinstance(each, ast.Name)
            and (each.id[:1].isupper() or each.id in ("str", "int", "float", "bytes"))
        )
        or (isinstance(each, ast.Constant) and (each.value is None or isinstance(each.value, str)))
        or isinstance(each, ast.Subscript | ast.JoinedStr)
        for each in sides
    )


def caught(mutant: Mutant, tests: list[str], seconds: float) -> bool:
    """Do the tests fail, or take too long, with this mutant in the place of its file?"""
    before, changed = mutant.path.read_bytes(), mutant.text
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider", *tests]
    try:
        mutant.path.write_text(changed, encoding="utf-8")
        return bool(subprocess.run(command, capture_output=True, timeout=seconds, check=False).returncode)
    except subprocess.TimeoutExpired:
        return True
    finally:
        mutant.path.write_bytes(before)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python dev/mutate.py", description=__doc__)
    parser.add_argument("what", type=Path, help="a folder or file of the package")
    parser.add_argument("tests", nargs="+", help="the nearest tests, as pytest takes them")
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=120, help="for the tests of one mutant")
    given = parser.parse_args()
    files = sorted(given.what.rglob("*.py")) if given.what.is_dir() else [given.what]
    every = [each for path in files for each in mutants_of(path)]
    some = Random(given.seed).sample(every, min(given.sample, len(every)))
    unharmed = subprocess.run([sys.executable, "-m", "pytest", "-q", "-x", *given.tests], check=False)
    if unharmed.returncode:
        print("The tests fail without any mutant.")
        return 2
    survived = []
    for mutant in some:
        if not caught(mutant, given.tests, given.seconds):
            survived.append(mutant)
            print(f"survived  {mutant.path}:{mutant.line}  {mutant.about}", flush=True)
    print(f"{given.what}: {len(some) - len(survived)} of {len(some)} mutants caught, of {len(every)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
