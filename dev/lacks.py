"""What something new still lacks: a learner, kind of model, pruner, kind of file, format or counting engine.

`make lacks` prints all of it at once, with the place where it goes; a test holds that nothing is lacking.
What is written in a folder and stands in no list is found by its constant (`PRUNER`, …) or its `learn`.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

from docs.exports import models

import clearwood as cw
from clearwood import estimators
from clearwood.catalogue import FORMATS, IMPORTERS, LEARNERS, PRUNERS, RUNNERS, SOURCES, entry_of
from clearwood.models.kinds.kind import KINDS
from clearwood.models.model import Model
from clearwood.registry import imported

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "src" / "clearwood"
_LISTED: Final = {  # the constant that ends a file, and the list that names it
    "PRUNER": "learners/trees/pruning",
    "MEASURE": "measures",
    "FORMAT": "exporting",
    "RUNNER": "exporting",
    "IMPORTER": "importing",
    "SELECTOR": "selecting",
}

UNION: Final = get_args(Model)
_LISTS: Final = ("command-line", "estimators", "reference", "catalogue", "differences", "glossary", "index")


def lacking() -> list[str]:
    """Every gap as a sentence: who lacks what, and where that goes."""
    return [*unlisted(), *learners(), *kinds(), *pruners(), *files(), *formats(), *importers(), *engines()]


def unlisted() -> Iterator[str]:
    """Files that end in an entry, and learners, that are in no list."""
    for constant, folder in _LISTED.items():
        listed = (PACKAGE / folder / "__init__.py").read_text(encoding="utf-8")
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            if re.search(rf"^{constant}\b.*=", path.read_text(encoding="utf-8"), re.MULTILINE):
                place = ".".join(path.relative_to(PACKAGE / folder).with_suffix("").parts)
                if f"{place.removesuffix('.__init__')}:{constant}" not in listed:
                    yield f"{folder}/{place} is in no list: enter it in {folder}/__init__.py."
    for path in sorted((PACKAGE / "learners").glob("*/*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and _learns(node) and entry_of(node.name) is None:
                at = path.relative_to(PACKAGE)
                yield f"{node.name} of {at} is in no list: enter it in LEARNERS of {at.parent}/__init__.py."


def _learns(node: ast.ClassDef) -> bool:
    """Is it a dataclass, not a protocol, with a method `learn` of one table?"""
    methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
    own = "learn" in methods and [each.arg for each in methods["learn"].args.args] == ["self", "table"]
    return own and bool(node.decorator_list) and not node.name.startswith("_")


def learners() -> Iterator[str]:
    """What each learner of the list lacks."""
    offered = {name: getattr(estimators, name) for name in estimators.__all__}
    pages = [path for path in (ROOT / "docs").rglob("*.md") if path.stem not in _LISTS]
    for name, entry in LEARNERS.items():
        lacks = f"the learner '{name}' lacks"
        made = entry.load()
        yield from _unless(entry.makes in KINDS, lacks, "a kind of model: `makes` is a name in KINDS")
        own = [each for each, of in offered.items() if issubclass(made, getattr(of, "LEARNER", ()))]
        if not own:
            yield f"{lacks} an estimator: a class with learner={entry.name}, named in estimators/__init__.py."
        for public in (entry.name, *own[:1]):
            yield from _unless(public in cw.__all__, lacks, f"{public} in clearwood/__init__.py (make stubs)")
            page = "tests/test_public_page.py"
            yield from _unless(f'"{public}"' in _text(page), lacks, f"{public} in {page}")
        about = any(re.search(rf"\b{entry.name}\b", path.read_text(encoding="utf-8")) for path in pages)
        yield from _unless(about, lacks, "a page in docs/learners")
        yield from _unless(
            f"`{name}`" in _text("docs/command-line.md"), lacks, "its name in docs/command-line.md"
        )
        yield from _unless(
            any(re.search(rf"\b{each}\b", _text("docs/estimators.md")) for each in own),
            lacks,
            "its line in docs/estimators.md",
        )
        if entry.makes in ("tree", "rules"):
            yield from _unless(bool(entry.steps), lacks, "steps: a function in deriving/, named by its entry")
        if why := _not_there(entry.steps):
            yield f"{lacks} the steps that its entry names, {entry.steps}: {why}."
        if entry.makes == "tree":
            yield from _unless(bool(entry.compared_by), lacks, "the figures it is compared_by in its entry")
        yield from _everybody(lacks, "learners", entry.name, made)
    for path in pages:
        page = path.relative_to(ROOT / "docs").as_posix()
        yield from _unless(page in _text("mkdocs.yml"), f"docs/{page} lacks", "a line in mkdocs.yml")


def kinds() -> Iterator[str]:
    """What each kind of model lacks."""
    for member in UNION:
        if not any(kind.model is member for kind in KINDS.values()):
            lacks = f"the kind of model {member.__name__} lacks"
            yield f"{lacks} a line in KINDS of models/kinds/kind.py: its name and its record."
    exported = set(map(type, models().values()))
    homes = {each.__module__.split(".")[-2] for each in UNION}
    for folder in sorted((PACKAGE / "models/kinds").glob("*/__init__.py")):
        name = folder.parent.name
        yield from _unless(
            name in homes, f"models/kinds/{name} lacks", "its model in Model of models/model.py"
        )
    for name, kind in KINDS.items():
        model, lacks = kind.model.__name__, f"the kind of model '{name}' lacks"
        for place, text in {
            "tests/models/test_kinds.py": f'"{model}":',
            "tests/test_public_page.py": f'"{model}"',
            "src/clearwood/models/model.py": model,
            "src/clearwood/shown.py": f'"{model}":',
            "src/clearwood/web/model.d.ts": f'"{name}"',
            "src/clearwood/web/predict.js": f"{name}:",
            "src/clearwood/web/answer_view.js": f'case "{name}":',
            "src/clearwood/web/change.js": f"{name}:",
            "docs/model-files.md": name,
            "ARCHITECTURE.md": model,
        }.items():
            yield from _unless(text in _text(place), lacks, f"{text} in {place}")
        yield from _unless(model in cw.__all__, lacks, f"{model} in clearwood/__init__.py (make stubs)")
        yield from _unless(kind.model in exported, lacks, "an example in models() of docs/exports.py")
        yield from _unless((PACKAGE / "models/kinds" / name).is_dir(), lacks, "a folder in models/kinds")


def pruners() -> Iterator[str]:
    """What each pruner lacks."""
    for name, pruner in PRUNERS.items():
        lacks, verb = f"the pruner '{name}' lacks", pruner.prune.__name__
        yield from _unless(verb in cw.__all__, lacks, f"{verb} in clearwood/__init__.py (make stubs)")
        yield from _unless(pruner.steps is not None, lacks, "steps: a derivation refuses without")
        yield from _everybody(lacks, "", verb, pruner.prune)


def files() -> Iterator[str]:
    """What each kind of file lacks."""
    extras = tomllib.loads(_text("pyproject.toml"))["project"]["optional-dependencies"]
    for suffix, kind in SOURCES.items():
        lacks = f"the kind of file '{suffix}' lacks"
        alike = [each for each, other in SOURCES.items() if other == kind]
        for place in ("tests/table/test_sources.py", "tests/fuzz/readers.py"):
            found = any(re.search(rf'\{each}["\']', _text(place)) for each in alike)
            yield from _unless(found, lacks, f"a sample in {place}")
        if kind.library:
            yield from _unless(kind.extra in extras, lacks, f"the extra '{kind.extra}' in pyproject.toml")
            yield from _unless(kind.extra in extras["all"][0], lacks, f"'{kind.extra}' in the extra 'all'")
        yield from _unless(
            bool(kind.begins) or kind.of_paths, lacks, "its first bytes in its line of SOURCES"
        )


def formats() -> Iterator[str]:
    """What each format of export, and each program that exports are run in, lacks."""
    pages = _all("docs", "*.md")
    for name, form in FORMATS.items():
        lacks = f"the format '{name}' lacks"
        yield from _unless(
            bool(form.suffixes) and bool(form.about), lacks, "its suffixes and a line about it"
        )
        yield from _unless(
            re.search(rf"\b{name}\b", _all("tests/exporting", "*.py")), lacks, "a test in tests/exporting"
        )
        yield from _unless(re.search(rf"\b{name}\b", pages, re.IGNORECASE), lacks, "a sentence in docs")
        yield from _unless(_changed(name), lacks, "a line in CHANGELOG.md")
    for target in RUNNERS:
        yield from _unless(
            target in _all("src/clearwood/exporting", "*.py"), f"the target '{target}' lacks", "a format"
        )


def importers() -> Iterator[str]:
    """What each importer lacks."""
    for name in IMPORTERS:
        lacks = f"the importer '{name}' lacks"
        yield from _unless(f'"{name}":' in _text("tests/importing/samples.py"), lacks, "samples in SAMPLES")
        yield from _unless(_changed(name), lacks, "a line in CHANGELOG.md")


def engines() -> Iterator[str]:
    """What each counting engine lacks: a class in counting/ with all that the contract asks."""
    body = ast.parse(_text("src/clearwood/counting/engine.py")).body
    contract = next(_members(each) for each in body if getattr(each, "name", "") == "CountingEngine")
    for path in sorted((PACKAGE / "counting").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name != "CountingEngine":
                own = _members(node)
                lacks = f"the counting engine {node.name} lacks"
                if {"totals", "values"} & own:
                    yield from _unless(contract <= own, lacks, f"{', '.join(sorted(contract - own))}")
                    yield from _unless(node.name in _all("tests", "*.py"), lacks, "a test in tests/counting")
                    yield from _unless(
                        path.name in _text("ARCHITECTURE.md"), lacks, f"{path.name} in ARCHITECTURE.md"
                    )


def _members(node: ast.AST) -> set[str]:
    """The names of a class's methods and fields, but for its own."""
    assert isinstance(node, ast.ClassDef)
    methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
    fields = {
        each.target.id
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    return {name for name in methods | fields if not name.startswith("_")}


def _everybody(lacks: str, family: str, name: str, thing: Any) -> Iterator[str]:
    """What every entry is asked: a test, a line of the changelog, and in a family its file's layer."""
    yield from _unless(re.search(rf"\b{name}\b", _all("tests", "*.py")), lacks, f"a test of {name}")
    yield from _unless(_changed(name), lacks, "a line in CHANGELOG.md")
    module = str(thing.__module__).rpartition(".")[2]
    if family:
        found = re.search(rf'["| ]{module}["| ]', _text("pyproject.toml"))
        yield from _unless(
            found or "ensembles" in str(thing.__module__), lacks, f"the layer of {module} in pyproject.toml"
        )


def _not_there(home: str) -> str:
    """Why what "module:name" names cannot be imported; nothing where it can, or where nothing is named."""
    try:
        if home:
            imported(home)
    except (ImportError, AttributeError) as error:
        return str(error)
    return ""


def _changed(name: str) -> bool:
    """Does the changelog name it, however it is written?"""
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    return plain in re.sub(r"[^a-z0-9]", "", _text("CHANGELOG.md").lower())


def _unless(there: object, lacks: str, what: str) -> Iterable[str]:
    return () if there else (f"{lacks} {what}.",)


@cache
def _text(place: str) -> str:
    return (ROOT / place).read_text(encoding="utf-8")


@cache
def _all(folder: str, pattern: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).rglob(pattern)))


if __name__ == "__main__":
    print("\n".join(lacking()) or "Nothing is lacking.")
