"""What the pages show is what happens: their Python runs, their sessions and commands answer as printed."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest

from clearwood import datasets
from clearwood.catalogue import FORMATS, IMPORTERS, IMPURITIES, LEARNERS, PRUNERS
from clearwood.cli import run

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language]


@pytest.fixture(autouse=True)
def _a_page_may_add_to_the_catalogue() -> Iterator[None]:
    lists: tuple[MutableMapping[str, Any], ...] = (FORMATS, IMPORTERS, IMPURITIES, LEARNERS, PRUNERS)
    before = [dict(entries) for entries in lists]
    yield
    for entries, old in zip(lists, before, strict=True):
        entries.clear()
        entries.update(old)


@pytest.fixture(autouse=True)
def _folder_with_the_shipped_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in datasets.TARGETS:
        shutil.copy(datasets.path(name), tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_and_its_sessions_run_as_shown(page: Path) -> None:
    names: dict[str, object] = {}
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "python":
            exec(compile(text, str(page), "exec"), names)
        elif kind == "pycon":
            shown = re.sub(r"^$", "<BLANKLINE>", text.rstrip("\n"), flags=re.MULTILINE) + "\n"
            test = doctest.DocTestParser().get_doctest(shown, names, page.name, str(page), 0)
            answers: list[str] = []
            doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
                test, out=answers.append, clear_globs=False
            )
            assert not answers, "".join(answers)
            names = test.globs


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_answer_as_shown(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks(page, "console"):
        for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = session.partition("\n")
            run(shlex.split(command)[1:])
            printed = capsys.readouterr()
            assert (printed.err + printed.out).rstrip() == shown.rstrip(), command


def test_what_is_quoted_of_the_source_stands_there() -> None:
    """A block in `py` is parts of one file, between lines of "…"."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    quoted = re.findall(r"^( *)```py\n(.*?)^ *```", page, re.MULTILINE | re.DOTALL)
    assert quoted
    for indent, text in quoted:
        lines = [line.removeprefix(indent) for line in text.split("\n")]
        parts = re.split(r"^…\n", "\n".join(lines), flags=re.MULTILINE)
        assert any(all(part in source for part in parts) for source in sources), text


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        assert str(page.relative_to(ROOT / "docs")) in menu


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_second_paragraph_of_a_list_is_indented_by_four_as_mkdocs_reads_it(page: Path) -> None:
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    assert not re.findall(r"^\n {1,3}(\S.*)", prose, re.MULTILINE)


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_source_file_that_is_named_exists() -> None:
    files = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("*/**/*.py")]
    examples = {
        "root.py",
        "few_rows.py",
        "one_rule.py",
        "key.py",
    }  # those that the guide has its reader write
    sources = [*(ROOT / "src").rglob("*.py"), *PAGES, ROOT / "ARCHITECTURE.md"]
    for page in sources:
        for named in re.findall(r"`([\w/]+\.py)`", page.read_text(encoding="utf-8")):
            known = any(f"/{each}".endswith(f"/{named}") for each in files)
            assert known or Path(named).name in examples, f"{page.name}: {named}"
