"""Mutate the package: damage one place at a time, and see whether the nearest tests notice.

`python dev/mutate.py src/clearwood/auditing tests/auditing --sample 40 --seed 0` draws mutants of the Python
files of a folder (comparisons turned, operators exchanged, conditions negated, returns emptied), runs the
tests and lists those that survive. The tests are collected once; each mutant is a forked process in which the
damaged function has other code, and the tests that run this function are tried, quickest first. What stands
in no function is tried by all tests: then the file is damaged, and put back afterwards, also on Ctrl-C.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import Phase, settings

_PATIENCE: Final = 5  # times as long as without a mutant: what takes longer than that is taken for endless
_START: Final = 30  # seconds more
Where: TypeAlias = tuple[str, str, int]  # the file, the function's qualified name, its first line

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

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.about}"

    @property
    def tree(self) -> ast.Module:
        """The whole file."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        node = next(each for at, each in enumerate(ast.walk(tree)) if at == self.place)
        change = _changed(node)
        assert change is not None
        change[1]()
        return ast.fix_missing_locations(tree)

    def functions(self) -> dict[Where, tuple[FunctionType, CodeType]]:
        """The functions in memory that it damages, with their other code."""
        damaged = dict(_codes(compile(self.tree, str(self.path), "exec")))
        found: dict[Where, tuple[FunctionType, CodeType]] = {}
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename == str(self.path):
                where = _where(each.__code__)
                if where in damaged and damaged[where] != each.__code__:
                    found[where] = each, damaged[where]
        return found


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


def _where(code: CodeType) -> Where:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[tuple[Where, CodeType]]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield _where(each), each
            yield from _codes(each)


class Mutating:
    """A plugin of pytest: in the place of the tests it runs the mutants."""

    def __init__(self, files: Sequence[Path], mutants: Sequence[Mutant], tests: list[str]):
        self.files, self.mutants, self.tests = files, mutants, tests
        self.survived: list[Mutant] = []

    def pytest_configure(self) -> None:
        """That a property fails is all that is asked: no smaller example is looked for."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile(
            "mutate", settings.get_profile(settings.get_current_profile_name()), phases=phases
        )
        settings.load_profile("mutate")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for path in self.files:
            parts = path.relative_to(Path("src").resolve()).with_suffix("").parts
            importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
        session.config.pluginmanager.unregister(name="terminalreporter")
        gc.unfreeze()  # what is frozen is not among the objects that are looked through
        with tempfile.TemporaryDirectory() as folder:
            seen = Path(folder, "seen")
            if _forked(lambda: _watched(session.items, {str(each) for each in self.files}, seen), None):
                raise pytest.UsageError(f"Without any mutant fails {pickle.loads(seen.read_bytes())}.")
            took, runs = pickle.loads(seen.read_bytes())
        print(f"{len(session.items)} tests took {sum(took):.0f} s; {len(self.mutants)} mutants", flush=True)
        quickest = sorted(range(len(took)), key=took.__getitem__)
        for mutant in self.mutants:
            functions = mutant.functions()
            near = [at for at in quickest if not runs[at].isdisjoint(functions)]
            items = [session.items[at] for at in near]
            if functions:
                patience = _PATIENCE * sum(took[at] for at in near) + _START
                caught = _forked(lambda f=functions, n=items: _tried(f, n), patience)  # type: ignore[misc]
            else:
                caught = _caught_by_any(mutant, self.tests, _PATIENCE * sum(took) + _START)
            if not caught:
                self.survived.append(mutant)
                print(f"survived  {mutant}  ({len(near)} tests run it)", flush=True)
        return True


def _forked(run: Callable[[], bool], seconds: float | None) -> bool:
    """Does what is run in a process of its own fail, or take too long?"""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.setsid()
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        failed = True
        try:
            failed = run()
        finally:
            os._exit(int(failed))
    alarm = threading.Timer(seconds, os.killpg, (child, signal.SIGKILL)) if seconds else None
    if alarm:
        alarm.start()
    status = os.waitpid(child, 0)[1]
    if alarm:
        alarm.cancel()
    return bool(status)


def _fails(items: Sequence[pytest.Item], at: int) -> bool:
    item, before = items[at], items[at].session.testsfailed
    after = items[at + 1] if at + 1 < len(items) else None
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
    return item.session.testsfailed > before


def _watched(items: Sequence[pytest.Item], files: set[str], out: Path) -> bool:
    """Writes how long each test takes, and which functions it runs."""
    took: list[float] = []
    runs: list[set[Where]] = []

    def called(frame: FrameType, _event: str, _more: Any) -> None:
        if frame.f_code.co_filename in files:
            runs[-1].add(_where(frame.f_code))

    for at in range(len(items)):
        runs.append(set())
        start = perf_counter()
        sys.settrace(called)
        threading.settrace(called)
        failed = _fails(items, at)
        sys.settrace(None)
        took.append(perf_counter() - start)
        if failed:
            out.write_bytes(pickle.dumps(items[at].nodeid))
            return True
    out.write_bytes(pickle.dumps((took, runs)))
    return False


def _tried(functions: dict[Where, tuple[FunctionType, CodeType]], items: Sequence[pytest.Item]) -> bool:
    for function, code in functions.values():
        function.__code__ = code
    return any(_fails(items, at) for at in range(len(items)))


def _caught_by_any(mutant: Mutant, tests: list[str], seconds: float) -> bool:
    """Do the tests fail, or take too long, with this mutant in the place of its file?"""
    before, changed = mutant.path.read_bytes(), ast.unparse(mutant.tree)
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
    given = parser.parse_args()
    what = given.what.resolve()
    files = sorted(what.rglob("*.py")) if what.is_dir() else [what]
    every = [each for path in files for each in mutants_of(path)]
    some = Random(given.seed).sample(every, min(given.sample, len(every)))
    mutating = Mutating(files, some, given.tests)
    status = pytest.main(["-q", "-p", "no:xdist", "-p", "no:cacheprovider", *given.tests], [mutating])
    if status != pytest.ExitCode.OK:
        return 2
    caught = len(some) - len(mutating.survived)
    print(f"{given.what}: {caught} of {len(some)} mutants caught, of {len(every)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
