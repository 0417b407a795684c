"""The Makefile names folders of tests; they are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_folder_and_file_that_make_names_is_there() -> None:
    named = set(
        re.findall(r"(?<![\w/.-])(?:tests|src|benchmarks|dev|docs)/[\w./-]+", (ROOT / "Makefile").read_text())
    )
    assert "tests/table" in named
    assert not [place for place in named if not (ROOT / place).exists()]
