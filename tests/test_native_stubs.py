"""The types of the native module name what it has, no more and no less."""

import ast
from pathlib import Path

import clearwood
from clearwood import _native

STUBS = Path(clearwood.__file__).parent / "_native"


def declared_names(stub: Path) -> list[str]:
    """What one stub declares, without the names that are its own."""
    names = []
    for node in ast.parse(stub.read_text("utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.append(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.append(name)
    return [name for name in names if not name.startswith("_")]


def test_every_native_name_has_a_type_and_every_type_a_name() -> None:
    declared = {name for stub in STUBS.glob("*.pyi") for name in declared_names(stub)}
    assert declared == {name for name in dir(_native) if not name.startswith("_")}


def test_each_name_is_declared_by_one_stub() -> None:
    for name in dir(_native):
        stubs = [stub.name for stub in sorted(STUBS.glob("*.pyi")) if name in declared_names(stub)]
        assert len(stubs) == (not name.startswith("_")), (name, stubs)


def test_all_stubs_are_gathered() -> None:
    gathered = (STUBS / "__init__.pyi").read_text("utf-8")
    for stub in STUBS.glob("*.pyi"):
        if stub.stem != "__init__":
            assert f"from clearwood._native.{stub.stem} import *" in gathered
