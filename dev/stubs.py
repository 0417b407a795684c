"""The stubs that are made from the source, for editors and type checkers: public names, what estimators take.

`make stubs` writes them; tests hold them to the source.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, get_type_hints

import clearwood
from clearwood import estimators
from clearwood.estimators import estimator

SOURCE: Final = Path(__file__).parents[1] / "src" / "clearwood"
_NAMED: Final = {**vars(estimator), "Iterable": Iterable}  # in the types of settings
_HEAD: Final = '''"""Made by `make stubs` from {source}."""

'''
_ESTIMATORS: Final = """from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from clearwood.estimators import bayes, ensembles, logistic, rules, trees
from clearwood.estimators.estimator import Classifier, Regressor
from clearwood.estimators.mca import MCATransformer as MCATransformer
from clearwood.estimators.trees import TreeClassifier
from clearwood.learners.learner import Learner
from clearwood.models.kinds.tree.tree import Tree

ESTIMATORS: Final[dict[str, type[Classifier] | type[Regressor]]]
__all__: list[str]
"""


def stubs() -> dict[Path, str]:
    """The text of each stub, by its place."""
    made = {SOURCE: _public_page(), SOURCE / "estimators": _estimators()}
    return {folder / "__init__.pyi": _formatted(text) for folder, text in made.items()}


def _public_page() -> str:
    """Every public name from its home; no other name is there, as it would be with `__getattr__`."""
    homes = {name: f"clearwood.{home}" for name, home in clearwood._HOMES.items()}
    homes |= {name: f"clearwood.{home}".rpartition(".")[0] for name, home in clearwood._MODULES.items()}
    lines = [
        f"from {home} import {name} as {name}\n" for home, name in sorted((h, n) for n, h in homes.items())
    ]
    own = "\n__all__: list[str]\n__version__: str\n_HOMES: dict[str, str]\n_MODULES: dict[str, str]\n"
    return _HEAD.format(source="the table of names beside it") + "".join(lines) + own


def _estimators() -> str:
    kinds = [*estimators.ESTIMATORS.values(), estimators.TextBayesClassifier]
    head = _HEAD.format(source="the settings of the learners") + _ESTIMATORS
    return head + "".join(map(_estimator, sorted(kinds, key=lambda kind: kind.__name__)))


def _estimator(kind: type[Any]) -> str:
    home = kind.__module__.rpartition(".")[2]
    hints = get_type_hints(kind, localns=_NAMED)
    takes = "".join(
        f"        {each.name}: {estimator.type_as_written(hints[each.name])} = {each.default!r},\n"
        for each in inspect.signature(kind).parameters.values()
    )
    return (
        f"\nclass {kind.__name__}({home}.{kind.__name__}):\n"
        f"    def __init__(\n        self,\n        *,\n{takes}    ) -> None: ...\n"
    )


def _formatted(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "stub.pyi", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    for place, text in stubs().items():
        place.write_text(text, encoding="utf-8")
        print(place.relative_to(SOURCE.parents[1]))
