"""Model files of other programs, damaged as bytes or as JSON; what is imported predicts and is saved."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from clearwood.importing.import_model import import_model
from tests.fuzz.cases import Case
from tests.fuzz.json_mutation import mutated_json, written_json
from tests.fuzz.model_files import check_model
from tests.fuzz.mutation import mutated
from tests.fuzz.watching import nothing_is_run
from tests.importing.naive_pmml import random_document

_STORED: Final = Path(__file__).parents[1] / "importing" / "stored"
_TOKENS: Final = (
    b"0", b"-1", b"1e999", b"nan", b"inf", b"99999999999", b"0.5", b"x", b"<True/>", b"<Node>", b"</Node>",
    b"<!DOCTYPE a>", b"&amp;", b"isMissing", b"surrogate", b"\x00",
)  # fmt: skip


def case(random: Random, folder: Path) -> Case:
    """A file that the dice choose, damaged."""
    name = random.choice(list(_seeds()))
    content = random_document(random.randrange(10_000)).text.encode() if name == "pmml" else _seeds()[name]
    if name.endswith(".json") and random.random() < 0.7:
        content = written_json(mutated_json(json.loads(content), random), random)
    else:
        content = mutated(content, random, _TOKENS)
    path = folder / "m"
    path.write_bytes(content)
    number = random.randrange(1 << 30)
    return Case(f"import_model({name}: {content[:3000]!r})", lambda: _import(path, Random(number)))


def _import(path: Path, random: Random) -> None:
    with nothing_is_run():
        check_model(import_model(path), random)


@cache
def _seeds() -> dict[str, bytes]:
    files = [each for each in sorted(_STORED.rglob("*")) if each.is_file() and each.suffix != ".csv"]
    return {"pmml": b"", **{file.name: file.read_bytes() for file in files}}
