"""Arguments: commands as the table of commands has them, with values that fit, and some that do not.

A command answers (0), or refuses in one sentence (1) or as a wrong usage (2). Where it refuses, no file is
written; where it answers, only those that were named.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

import typer

from clearwood.catalogue import LEARNERS, PRUNERS, SELECTORS
from clearwood.cli import run
from clearwood.cli.app import program
from clearwood.errors import ClearwoodError
from clearwood.serving import serving
from clearwood.serving.asgi import App
from tests.fuzz.cases import Case
from tests.fuzz.command_files import (
    CLASSES,
    COLUMNS,
    MODELS,
    ODD_COLUMNS,
    OUTPUTS,
    RULES,
    TABLES,
    WRONG,
    write_files,
)
from tests.fuzz.mutation import NASTY_TEXT

_NUMBERS: Final = (
    *("0", "1", "2", "3", "10", "0.5", "0.05", "1e-300", "-1", "1e308", "1e999", "nan", "inf", "-0.0"),
    *("2147483648", "9223372036854775808", "9" * 400, "0x10", "1_0", "٣", "1,5", "50%", " 3", ""),
)
_ODD: Final = (
    *(text.decode("utf-8", "surrogatepass") for text in NASTY_TEXT),
    *("\udcff", "caf\udce9.csv", "-", "--", "---", "-t", "--target", "--json", "--help", "--x", "-\x00", "="),
    *("a=b=c", "Outlook=", "=Sunny", "Outlook=Sunny,Outlook=Rain", "no such column", "/dev/null", "."),
    *("..", "~", "*", "\u202e", "x" * 3000, "d.csv\0", "IF", "IF Wind = Weak THEN Play", "1:2", "0:0", "a:b"),
)


def case(random: Random, folder: Path) -> Case:
    """A command with arguments that the dice choose, in a folder with files of every kind."""
    here = folder / "here"
    here.mkdir()
    write_files(here)
    arguments = _arguments(random)
    return Case(f"clearwood {arguments!r}", lambda: _run(arguments, folder, here))


class RefusedError(ClearwoodError):
    """Stands for an exit code that is not 0, so that such cases are counted apart."""


def _run(arguments: list[str], folder: Path, here: Path) -> None:
    before = _contents(folder)
    with _streams((here / "d.csv").read_bytes()) as (out, err), _within(here):
        try:
            with patch.object(serving, "run_app", _no_server):
                code = run(arguments)
        except SystemExit as error:
            raise AssertionError(f"the program was left by {error!r}") from error
    answer, answers = (stream.getvalue().decode("utf-8") for stream in (out, err))
    if code == 3:  # no refusal: the export is written, and nothing here can run it
        assert "--prove" in arguments
        code = 0
    assert code in (0, 1, 2), code
    changed = {name for name, content in _contents(folder).items() if before.get(name) != content}
    assert set(before) <= set(_contents(folder)), "a file is gone"
    unnamed = {name for name in changed if not any(Path(name).name in each for each in arguments)}
    assert not unnamed, f"files that no one named: {unnamed}"
    check_said(code, answer, answers, as_json="--json" in arguments)
    if code:
        assert not changed, f"refused, and yet written: {changed}"
        raise RefusedError(f"exit code {code}")


def _no_server(app: App, host: str, port: int, started: Callable[[str, int], None]) -> None:
    """Instead of a server, which does not end."""
    started(host, port)
    app.service.log.close()


def check_said(code: int, answer: str, answers: str, *, as_json: bool) -> None:
    """One sentence where it is refused, JSON where that is asked for, and never a traceback or an escape."""
    assert "Traceback" not in answers, answers
    assert not {"\x1b", "\x07", "\x9b", "\0"} & set(answers), answers
    if not code:
        return
    if as_json:
        assert next(iter(json.loads(answer))) == "error", answer
    elif not answers.startswith(("Usage: ", "Error: ")):  # typer's words on a wrong usage
        errors = [line for line in answers.splitlines() if line.startswith("error: ")]
        others = [line for line in answers.splitlines() if not line.startswith(("error: ", "note: ", "    "))]
        assert (len(errors), others) == (1, []), answers
        assert 15 < len(errors[0]) < 10_000, answers
        assert "Error" not in errors[0][:25], f"the words of Python: {answers}"


@contextmanager
def _streams(typed: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Standard input with these bytes, and output and errors as bytes, as a process has them."""
    out, err, before = io.BytesIO(), io.BytesIO(), sys.stdin
    with ExitStack() as stack:
        for stream, redirected in ((out, redirect_stdout), (err, redirect_stderr)):
            text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", write_through=True)
            stack.callback(text.detach)
            stack.enter_context(redirected(text))
        sys.stdin = io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8")
        try:
            yield out, err
        finally:
            sys.stdin = before


@contextmanager
def _within(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        str(each.relative_to(folder)): each.read_bytes() if each.is_file() else b""
        for each in folder.rglob("*")
    }


@cache
def commands() -> dict[str, list[Any]]:
    """Every command and its parameters, as typer has them."""
    group: Any = typer.main.get_command(program())
    return {name: list(command.params) for name, command in group.commands.items()}


def _arguments(random: Random) -> list[str]:
    name = random.choice(list(commands()))
    parameters = commands()[name]
    odd = random.choice((0.0, 0.0, 0.03, 0.15, 0.5))
    arguments = [name]
    for parameter in parameters:
        likely = 1.0 if parameter.required else 0.5 if parameter.param_type_name == "argument" else 0.0
        if "--target" in parameter.opts:
            likely = 0.8
        if random.random() < likely:
            arguments += _given(parameter, random, odd)
    options = [each for each in parameters if each.param_type_name == "option" and not each.required]
    for option in random.sample(options, min(len(options), random.choice((0, 0, 1, 1, 2, 4)))):
        arguments += _given(option, random, odd)
    if random.random() < 0.15:
        arguments = _disordered(arguments, random)
    return [each.replace("\0", "") if random.random() < 0.9 else each for each in arguments]


def _disordered(arguments: list[str], random: Random) -> list[str]:
    """Something twice, left out, put in or moved."""
    place = random.randrange(len(arguments))
    match random.randrange(4):
        case 0:
            return [*arguments, *arguments[place : place + 2]]
        case 1:
            return arguments[:place] + arguments[place + 1 :]
        case 2:
            return [*arguments[:place], random.choice(_ODD), *arguments[place:]]
        case _:
            return [*arguments[:1], *random.sample(arguments[1:], len(arguments) - 1)]


def _given(parameter: Any, random: Random, odd: float) -> list[str]:
    value = _value(parameter, random, odd)
    if parameter.param_type_name == "argument":
        return [value]
    spelling: str = random.choice((*parameter.opts, *parameter.secondary_opts))
    if parameter.is_flag:
        return [spelling]
    if spelling.startswith("--") and random.random() < 0.2:
        return [f"{spelling}={value}"]
    return [spelling, value]


def _value(parameter: Any, random: Random, odd: float) -> str:
    if random.random() < odd:
        return random.choice(random.choice((_ODD, _ODD, _NUMBERS, WRONG)))
    metavar = str(parameter.metavar or "").strip("[]")
    if metavar == "FILE":
        return random.choice(("schema.json", *OUTPUTS) if "--schema" in parameter.opts else OUTPUTS)
    if metavar in ("N", "P", "SHARE", "FOLDS"):
        return random.choice(_NUMBERS[: random.choice((7, len(_NUMBERS)))])
    if "|" in metavar:
        return random.choice(metavar.split("|"))
    fitting = _FITTING.get(metavar, ())
    by_option = next((_BY_OPTION[each] for each in parameter.opts if each in _BY_OPTION), ())
    return random.choice(by_option or fitting or _words(metavar))


def _words(metavar: str) -> Sequence[str]:
    return (*COLUMNS, *CLASSES, metavar.lower(), "full", "1")


_FITTING: Final[dict[str, Sequence[str]]] = {
    "DATA": (*TABLES, "d.csv", "d.csv", "-"),
    "NEW": (*TABLES, "d.csv", "-"),
    "MODEL": (*MODELS, "rules.txt"),
    "RULES": RULES,
    "COLUMN": (*COLUMNS, "Play", "Play", "Play", *ODD_COLUMNS),
    "COLUMN,…": (*COLUMNS, "Wind,Outlook", "Wind, ,", *ODD_COLUMNS),
    "COLUMN=KIND": ("Outlook=text", "Humidity=nominal", "Wind=ordinal", "Humidity=ignored", "Play=numeric"),
    "COLUMN=LOW,…,HIGH": ("Wind=Weak,Strong", "Outlook=Rain,Overcast,Sunny", "Wind=a,b", "Humidity=1,2"),
    "COLUMN=VALUE,…": ("Outlook=Sunny,Humidity=70", "Wind=Strong", "Humidity=x", "Outlook=?", "zip=1"),
    "COLUMN=N,…": ("Humidity=70,80", "Humidity=nan", "Wind=1", "Humidity=", "Temperature=1e999"),
    "NAME=VALUE": (
        *("min_rows=1", "max_depth=2", "max_depth=1e9", "seed=-1", "measure=gini", "priors=equal"),
        *("alpha=cv", "costs=Play/Don't Play:5", "costs=a/b:nan", "penalty=l2", "beam=99999", "priors=x:1"),
        *("folds=0", "min_rows=" + "9" * 400, "smoothing=1e308", "shape=kernel", "confidence=0.5"),
    ),
    "NAME[:SETTING=VALUE,…]": ("id3", "c45", "cart:max_depth=1", "chaid:alpha=", "c45:x=1", "ila", ":"),
    "PRUNER": (*PRUNERS, "chi-square:alpha=0.01", "chi-square:alpha=", "x", "cost-complexity:alpha=nan"),
    "[BY:]N": (
        "1",
        "2",
        "0",
        "mrmr:2",
        "relieff:1,neighbours=2",
        "cfs",
        "gain:x",
        "x:2",
        ":",
        "forward:1",
    ),
    "MEANING": ("counts", "sampling", "importance", "guess"),
    "CHAR": (",", ".", ";", "tab", "|", "none", "'", " "),
    "SIZE": ("8GB", "100", "1KB", "0", "1.5 MB", "9" * 400, "1e3", "-1"),
    "SQL": (
        *(
            "SELECT * FROM source",
            "SELECT Play, count(*) AS n FROM source GROUP BY Play",
            "SELECT 1 WHERE false",
        ),
        *("COPY source TO 'new.csv'", "SELECT * FROM 'd.jsonl'", "SELECT * FROM source s, source t", ";"),
        *("WITH t AS (COPY source TO 'new.csv') SELECT * FROM t", "ATTACH 'new.db'", "SET threads=1"),
    ),
    "days": ("days", "years"),
    "CLASS": CLASSES,
    "CLASS:SHARE,…": ("Play:0.5", "Play:2", "Play:nan", "x:0.5", "Play:0.5,Don't Play:0.5", ":"),
    "CONDITION,…": ("Outlook = Sunny", "Outlook = Sunny, Humidity <= 75", "Humidity > x", "Outlook"),
    "REFERENCE": ("average", "best", "zero", "Outlook=Sunny", "worst"),
    "UNIT": ("unit", "sd", "mile"),
    "WAY": ("down", "right", "up"),
    "WORD": ("width", "rows", "x"),
    "N:M": ("1:2", "2:1", "1:9", "0:1", "1:", "x:1"),
    "'IF … THEN …'": ("IF Wind = Weak THEN Play", "ALWAYS THEN refer", "IF", "IF Wind = x THEN Play"),
    "N:'IF … THEN …'": ("1:IF Wind = Weak THEN Play", "9:ALWAYS THEN Play", "IF", "1:"),
}
_BY_OPTION: Final[dict[str, Sequence[str]]] = {
    "--learner": list(LEARNERS),
    "--method": (
        *PRUNERS,
        *SELECTORS,
        "relieff:2",
        "relieff:neighbours=0",
        "shadows:1,rounds=2",
        "gain:",
        "pca",
        "mca",
        "x",
    ),
    "--by": ("Wind", "Outlook,Wind", "x"),
    "--equal": ("rows", "width", "x"),
    "--imitate": ("shares", "answers", "x"),
    "--score": ("accuracy", "auc", "cost", "rmse", "x"),
    "--also": ("stability", "learning-curve,bias-variance", "x"),
    "--encoding": ("utf-8", "latin-1", "utf-16", "rot13", "x"),
    "--detail": ("short", "full", "worksheet", "x"),
    "--format": ("text", "markdown", "pandoc", "latex", "html", "x"),
    "--chapter": ("Growing", "Pruning", "x"),
    "--as": ("table", "icicle", "nomogram", "evidence", "x"),
    "--theme": ("light", "dark", "x"),
    "--use-test": ("chi-square", "yates", "fisher", "x"),
    "--adjust": ("holm", "benjamini-hochberg", "x"),
    "--fold": ("0", "1", "all", "x"),
}
