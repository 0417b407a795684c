"""One name, one thing: no public class, function or type of the house is called as another one is."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from tests.source_code import SOURCE, parsed_sources

# One thing, several times: what a module of such a place must have, or what is named after what it shows.
COMMANDS: Final = "cli/commands/"  # a command is called as the function of the public page that it runs
CHARTS: Final = "draw/charts/"  # so is a chart of that function's result
CONTRACTS: Final = {
    "run": "cli/",  # each command's module
    "choose": "learners/trees/",  # the definitions of the tree learners, side by side
    "choose_splits": "learners/trees/",
    "choose_split": "learners/trees/",
    "consider": "learners/trees/",
    "large_enough": "learners/trees/",
    "settle": "learners/trees/",
    "least_rows": "learners/trees/",
    "worker": "deriving/trees/",  # each tree learner's derivation
    "rules_and_steps": "deriving/rules/",  # each rule learner's
}


def test_no_two_modules_give_one_name_to_two_things() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in parsed_sources():
        home = path.relative_to(SOURCE).as_posix()
        for name in _public(tree):
            if not home.startswith((COMMANDS, CHARTS)) and not home.startswith(CONTRACTS.get(name, "none")):
                homes[name].append(home)
    twice = {name: places for name, places in homes.items() if len(places) > 1}
    assert not twice, f"name these by what each of them is: {twice}"


def _public(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")):
                pass
            case ast.Assign(targets=[ast.Name(id=name)]) if name[0].isupper() and not name.isupper():
                pass  # a type alias without its annotation
            case _:
                continue
        if not name.startswith("_"):
            yield name
