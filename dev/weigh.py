"""What the package weighs: lines of code and of imports, files, and how many files a command walks through.

`make weigh` prints each folder beside the commit SINCE, by default the one that began the present version. A
pure line is one of code that is no docstring, comment, blank line or import: what a feature adds to them is
its price, and what it makes superfluous should go with it.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tarfile
import tempfile
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = "src/clearwood"
TABLE: Final = "src/clearwood/datasets/tennis_56.csv"
WALKS: Final[Mapping[str, list[str]]] = {
    "fit": ["fit", TABLE, "-t", "Play", "-l", "c45", "--save", "{folder}/model.json"],
    "derive": ["derive", TABLE, "-t", "Play", "-l", "c45", "-o", "{folder}/work.html"],
    "export --prove": ["export", "{folder}/model.json", "-o", "{folder}/score.sql", "--prove", TABLE],
    "choose": ["choose", TABLE, "-t", "Play"],
}
_SILENT: Final = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
_ROOMS: Final = {
    "table": "any source as coded columns",
    "models": "the six kinds of models, with program, space, account and file",
    "counting": "how often each class occurs with each value, in each region",
    "learners": "from a table to a model; pruning",
    "predicting": "from rows to probabilities and predictions",
    "explaining": "why a row is predicted so, and what would change it",
    "deriving": "every number, step by step",
    "cli": "the command line; a command of an extra imports it when it is called",
}
_EXTRAS: Final = {
    "auditing": "what is certain about rules and curves, by exact algebra",
    "balancing": "rare classes weighed or drawn more often",
    "checking": "assertions about a model, and where two models differ",
    "components": "PCA and MCA",
    "draw": "how a result looks: text, pictures, charts, derivations as LaTeX and HTML",
    "editing": "rules and curves changed by hand",
    "estimators": "the learners in scikit-learn's contract",
    "exporting": "a model as SQL, a program, a sheet, PMML or ONNX, with the proof of each",
    "importing": "models of other programs",
    "reporting": "a study on one page",
    "selecting": "which columns to learn from",
    "serving": "models behind HTTP",
    "study": "evaluating, comparing, tuning, choosing",
    "web": "the page's JavaScript, packed",
}
# Runs a command and prints at the end in how many of our files a function was called.
_TRACER: Final = """
import atexit, os, sys, threading
import clearwood
root, files = os.path.dirname(clearwood.__file__), set()
def seen(frame, event, arg):
    if event == "call" and frame.f_code.co_flags & 1 and frame.f_code.co_filename.startswith(root):
        files.add(frame.f_code.co_filename)
def told():
    sys.setprofile(None)
    threading.setprofile(None)
    open(sys.argv[0], "w").write(str(len(files)))
atexit.register(told)
from clearwood.cli import main
sys.argv = sys.argv[1:]
sys.setprofile(seen)
threading.setprofile(seen)
main()
"""


@dataclass(frozen=True)
class Weight:
    """Of some files: how many there are, their pure lines, and their lines of imports."""

    files: int = 0
    pure: int = 0
    imports: int = 0

    def __add__(self, other: Weight) -> Weight:
        return Weight(self.files + other.files, self.pure + other.pure, self.imports + other.imports)


def weight_of(source: str) -> Weight:
    """The weight of one file."""
    tree = ast.parse(source)
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    imports = {line for each in _imports(tree) for line in each}
    lines -= {line for each in _docstrings(tree) for line in each}
    return Weight(1, len(lines - imports), len(imports))


def _imports(tree: ast.Module) -> Iterator[range]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _docstrings(tree: ast.Module) -> Iterator[range]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            match node.body:
                case [ast.Expr(value=ast.Constant(value=str())) as text, *_]:
                    yield range(text.lineno, (text.end_lineno or text.lineno) + 1)


def by_folder(sources: Mapping[str, str]) -> dict[str, Weight]:
    """The weight of each folder of the package; files at its top are the folder "."."""
    weights: dict[str, Weight] = {}
    for path, source in sorted(sources.items()):
        folder = path.split("/")[0] if "/" in path else "."
        weights[folder] = weights.get(folder, Weight()) + weight_of(source)
    return weights


def sources_here() -> dict[str, str]:
    """The package's files as they lie here, by their path in it."""
    top = ROOT / PACKAGE
    return {path.relative_to(top).as_posix(): path.read_text() for path in top.rglob("*.py")}


def sources_at(commit: str) -> dict[str, str]:
    """The package's files as a commit has them."""
    packed = subprocess.run(["git", "archive", commit, PACKAGE], cwd=ROOT, capture_output=True, check=True)
    found = {}
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as files:
        for member in files:
            if member.name.endswith(".py") and (content := files.extractfile(member)):
                found[member.name.removeprefix(f"{PACKAGE}/")] = content.read().decode()
    return found


def began() -> str:
    """The commit that gave the package its present version."""
    line = next(line for line in sources_here()["__init__.py"].splitlines() if line.startswith("__version__"))
    log = ["git", "log", f"-S{line}", "--format=%h", "--", f"{PACKAGE}/__init__.py"]
    return subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()[-1]


def walked() -> Iterator[tuple[str, int]]:
    """How many of the package's files each command comes through."""
    with tempfile.TemporaryDirectory() as folder:
        count = Path(folder, "count.txt")
        for name, given in WALKS.items():
            arguments = [each.format(folder=folder) for each in given]
            subprocess.run(
                [
                    sys.executable,
                    "-c",
                    _TRACER.replace("sys.argv[0]", repr(str(count))),
                    "clearwood",
                    *arguments,
                ],
                cwd=ROOT,
                capture_output=True,
                check=True,
            )
            yield name, int(count.read_text())


def core_and_extras() -> tuple[list[str], list[str]]:
    """The rooms of the core and the extras around it, as the contract of import-linter has them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    contract = next(each for each in contracts if each["name"].startswith("The core"))
    core, extras = (
        [name.removeprefix("clearwood.") for name in contract[part]]
        for part in ("source_modules", "forbidden_modules")
    )
    return [*core, "cli"], sorted(extras)


def core_table(weights: Mapping[str, Weight]) -> str:
    """The core and the extras as `ARCHITECTURE.md` has them, in lines of code and of imports."""
    _, extras = core_and_extras()
    inner = [folder for folder in weights if folder not in extras]
    beneath = [folder for folder in inner if folder not in _ROOMS]
    rows = [("**core**", "", sum((weights[each] for each in inner), Weight()))]
    rows += [(f"`{name}/`", about, weights[name]) for name, about in _ROOMS.items()]
    rows.append(("the rest of it", "what these stand on", sum((weights[each] for each in beneath), Weight())))
    rows.append(("**extras**", "", sum((weights[each] for each in extras), Weight())))
    rows += [(f"`{name}/`", _EXTRAS[name], weights[name]) for name in extras]
    lines = ["| | | files | lines of code | of imports |", "|---|---|---:|---:|---:|"]
    lines += [f"| {name} | {what} | {of.files:,} | {of.pure:,} | {of.imports:,} |" for name, what, of in rows]
    return "\n".join(lines)


def main() -> None:
    """Prints the table, then the walks; with --core the core beside its extras alone."""
    if sys.argv[1:] == ["--core"]:
        print(core_table(by_folder(sources_here())))
        return
    since = sys.argv[1] if len(sys.argv) > 1 else began()
    here, then = sources_here(), by_folder(sources_at(since))
    now = by_folder(here)
    print(f"{'':12}{'files':>7}{'pure':>9}{'imports':>9}   since {since}")
    total = (sum(now.values(), Weight()), sum(then.values(), Weight()))
    rows = [(each, now.get(each, Weight()), then.get(each, Weight())) for each in sorted({*now, *then})]
    for folder, one, other in [*rows, ("all", *total)]:
        change = f"{one.files - other.files:+7,}{one.pure - other.pure:+9,}{one.imports - other.imports:+9,}"
        print(f"{folder:12}{one.files:7,}{one.pure:9,}{one.imports:9,}{change}")
    print(
        f"A file has {median(len(source.splitlines()) for source in here.values()):.0f} lines in the middle."
    )
    for name, files in walked():
        print(f"{name} walks through {files} files.")


if __name__ == "__main__":
    main()
