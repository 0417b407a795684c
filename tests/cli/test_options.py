"""One option has one meaning, a screen holds a command's help, and no option is ignored in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import typer

from clearwood import datasets
from clearwood.cli import run
from clearwood.cli.app import program
from clearwood.cli.options import FOLDED
from clearwood.models.files import to_json
from clearwood.models.model import Model
from clearwood.reporting import making
from clearwood.reporting.making import Report
from clearwood.serving import serving
from clearwood.serving.asgi import App
from clearwood.study.study import Study
from tests.cli.conftest import Command

COMMANDS: dict[str, Any] = typer.main.get_command(program()).commands  # type: ignore[attr-defined]
SCREEN = 50  # lines, at 80 characters

# The same spelling takes something else here, for a reason that the help gives.
OF_TWO_FORMS = {"--learner"}

# A command with what it needs; each of its options is tried beside that.
SCENES: dict[str, tuple[str, ...]] = {
    "fit": ("fit", "d.csv", "-t", "Play"),
    "choose": ("choose", "d.csv", "-t", "Play", "-l", "id3", "-l", "bayes", "--ignore", "n"),
    "report": ("report", "d.csv", "-t", "Play", "-o", "r.html"),
    "report of a model": ("report", "d.csv", "-m", "tree.json", "-o", "r.html"),
    "show": ("show", "tree.json"),
    "draw": ("draw", "tree.json", "-o", "t.svg"),
    "draw rules": ("draw", "rules.json", "-o", "t.svg"),
    "predict": ("predict", "bayes.json", "d.csv", "--shares"),
    "predict to a file": ("predict", "tree.json", "d.csv", "-o", "scored.csv"),
    "export": ("export", "tree.json", "-o", "t.py"),
    "export and prove": ("export", "tree.json", "-o", "t.py", "--prove", "d.csv"),
    "export a card": ("export", "logistic.json", "--scorecard", "-o", "card.py"),
    "verify": ("verify", "proof.json", "proven.py", "tree.json", "d.csv"),
    "derive": ("derive", "d.csv", "-t", "Play"),
    "derive a model": ("derive", "d.csv", "-m", "tree.json"),
    "derive an answer": ("derive", "-m", "bayes.json", "--row", "Outlook=Sunny"),
    "derive and compare": ("derive", "d.csv", "-t", "Play", "--compare", "--ignore", "n"),
    "compare": ("compare", "d.csv", "-t", "Play", "-l", "cart", "-l", "bayes"),
    "compare models": ("compare", "tree.json", "bayes.json", "fresh.csv"),
    "compare over tables": ("compare", "--scores", "scores.csv"),
    "explain": ("explain", "tree.json", "--row", "Outlook=Rainy,Heat=3.5"),
    "explain a row of a file": ("explain", "tree.json", "--data", "d.csv", "--number", "3"),
    "evidence": ("evidence", "bayes.json", "--row", "Outlook=Sunny,Heat=3.5"),
    "effect": ("effect", "tree.json", "d.csv", "--of", "Heat"),
    "importances": ("importances", "tree.json", "d.csv"),
    "stable-rules": ("stable-rules", "forest.json", "d.csv"),
    "distil": ("distil", "bayes.json", "d.csv", "-l", "id3"),
    "calibration": ("calibration", "tree.json", "d.csv"),
    "decide": ("decide", "tree.json", "fresh.csv", "--cutoff", "yes:0.4"),
    "learning-curve": ("learning-curve", "d.csv", "-t", "Play", "-l", "c45", "-l", "id3"),
    "bias-variance": ("bias-variance", "d.csv", "-t", "Play"),
    "overfitting": ("overfitting", "d.csv", "-t", "Play"),
    "stability": ("stability", "d.csv", "-t", "Play", "--samples", "20"),
    "look-over": ("look-over", "d.csv", "-t", "Play"),
    "evaluate": ("evaluate", "tree.json", "d.csv", "--costs", "no/yes:3"),
    "schema": ("schema", "d.csv", "-t", "Play"),
    "select": ("select", "d.csv", "-t", "Play", "--method", "relieff:references=10"),
    "components": ("components", "d.csv", "-t", "Play", "--method", "mca"),
    "prune": ("prune", "tree.json", "d.csv", "--method", "mdl"),
    "rules": ("rules", "d.csv", "-t", "Play"),
    "rules, simplified": ("rules", "d.csv", "-t", "Play", "--simplify", "--ledger"),
    "rules of a model": ("rules", "d.csv", "-m", "tree.json"),
    "audit": ("audit", "rules.txt", "d.csv"),
    "audit a model": ("audit", "tree.json"),
    "check": ("check", "tree.json", "assertions.toml", "d.csv"),
    "check on rows": ("check", "bayes.json", "assertions.toml", "d.csv"),
    "diff": ("diff", "tree.json", "rules.json", "d.csv"),
    "diff by rows": ("diff", "tree.json", "bayes.json", "d.csv"),
    "edit": ("edit", "rules.txt", "--train", "d.csv", "--add", "IF Wind = Weak THEN no"),
    "edit a model": ("edit", "tree.json"),
    "edit curves": ("edit", "gam.json"),
    "import": ("import", "tree.pmml"),
    "import and prove": ("import", "tree.pmml", "d.csv", "--origin-answers", "answers.csv"),
    "scorecard": ("scorecard", "logistic.json"),
    "bayes-rule": ("bayes-rule", "--prior", "0.01", "--sensitivity", "0.9", "--false-positive", "0.1"),
    "tune": ("tune", "d.csv", "-t", "Play", "-l", "cart", "--ignore", "n", "--grid", "max_depth=1..3"),
    "tune by AUC": ("tune", "d.csv", "-t", "Play", "-l", "id3", "--score", "auc", "--grid", "min_leaf=1,4"),
    "learners": ("learners", "id3"),
    "serve": ("serve", "tree.json", "bayes.json"),
}

# What an option is given: another value than any scene has, or a wrong one, which must then be refused.
GIVEN: dict[str, str] = {
    "--target": "Wind",
    "--schema": "other.json",
    "--kind": "Heat=nominal",
    "--order": "Outlook=Rainy,Overcast,Sunny",
    "--ignore": "Outlook",
    "--weight": "n",
    "--weights-are": "importance",
    "--thousands": "xx",
    "--dates": "weeks",
    "--max-bytes": "10",
    "--query-seconds": "5",
    "--delimiter": ";",
    "--encoding": "utf-16",
    "--decimal": ",",
    "--missing": "Rainy",
    "--recode": "Outlook=Rainy:wet,Sunny:wet,Overcast:wet",
    "--query": "select * from source offset 10",
    "--learner": "cart",
    "--set": "max_depth=1",
    "--seed": "7",
    "--model": "tree.json",
    "--prune": "reduced-error",
    "--balance": "weights",
    "--select": "1",
    "--stability": "2",
    "--test-part": "0.4",
    "--cross-validate": "3",
    "--group": "Outlook",
    "--time": "Wind",
    "--window": "3",
    "--gap": "1",
    "--bootstrap": "5",
    "--folds-in": "Outlook",
    "--predictions": "out_of_fold.csv",
    "--save": "saved.json",
    "--output": "other.txt",
    "--title": "A title",
    "--also": "stabilty",
    "--depth": "1",
    "--as": "icicle",
    "--row": "Outlook=Overcast",
    "--fold": "1",
    "--direction": "right",
    "--theme": "dark",
    "--prevalence": "yes:0.9",
    "--column": "answer",
    "--on-error": "perhaps",
    "--flag-cells": "not_used",
    "--relative-to": "zero",
    "--per": "sd",
    "--at": "Outlook=Sunny",
    "--detail": "short",
    "--format": "markdown",
    "--dialect": "sqlite",
    "--certificate": "other.certificate.json",
    "--digits": "7",
    "--chapter": "Growing",
    "--data": "d.csv",
    "--number": "2",
    "--to": "perhaps",
    "--fixed": "Outlok",
    "--only-up": "Heet",
    "--only-down": "Heet",
    "--against": "yes",
    "--most": "1",
    "--of": "Outlook",
    "--points": "3",
    "--loss": "log-loss",
    "--shuffles": "2",
    "--conditions": "1",
    "--parts": "3",
    "--least": "0.6",
    "--made": "4",
    "--samples": "7",
    "--sizes": "3",
    "--noise": "0.4",
    "--bins": "3",
    "--beta": "2",
    "--costs": "yes/no:7",
    "--positive": "no",
    "--by": "Wind",
    "--equal": "rows",
    "--imitate": "shares",
    "--place": "1",
    "--steps": "0",
    "--calibrate": "platt",
    "--cutoff": "yes:0.3",
    "--refer": "0.7",
    "--protected": "Wind",
    "--favourable": "yes",
    "--method": "siblings",
    "--alpha": "0.9",
    "--tables": "conditional",
    "--choose-by": "smallest",
    "--use-test": "fisher",
    "--adjust": "holm",
    "--budget": "0",
    "--junit": "verdicts.xml",
    "--share-change": "0.2",
    "--since": "bayes.json",
    "--change": "1:IF Wind = Weak THEN yes",
    "--move": "2:1",
    "--delete": "1",
    "--add": "IF Heat > 5 THEN yes",
    "--otherwise": "no",
    "--monotone": "Heat=up",
    "--flatten": "Heat",
    "--smooth": "Heat",
    "--set-points": "Heat=3..:1",
    "--drop": "Heat",
    "--train": "d.csv",
    "--test": "d.csv",
    "--points-per-doubling": "7",
    "--base": "100",
    "--cuts": "Heat=3",
    "--prior": "0.5",
    "--sensitivity": "0.5",
    "--false-positive": "0.5",
    "--specificity": "0.5",
    "--score": "cost",
    "--scores": "scores.csv",
    "--better": "less",
    "--rope": "0.25",
    "--yardstick": "knn",
    "--chart": "chart.svg",
    "--report": "page.html",
    "--grid": "min_leaf=1,4",
    "--draws": "2",
    "--nested": "3",
    "--resume": "journal.jsonl",
    "--columns": "a",
    "--classes": "a",
    "--values": "Heat=a",
    "--origin-answers": "scores.csv",
    "--port": "8001",
    "--host": "0.0.0.0",
    "--token": "open sesame",
    "--max-rows": "7",
    "--timeout": "3",
    "--log": "requests.jsonl",
}

GIVEN_TO = {
    ("audit", "--most"): "0", ("effect", "--as"): "local",
    ("tune", "--score"): "auc", ("tune", "--draws"): "1", ("select", "--method"): "gain",
    ("check", "--steps"): "1", ("diff", "--steps"): "1", ("effect", "--recode"): "Outlook=Rainy:Sunny",
}  # fmt: skip

# Where an option is used, but with these rows comes to the same.
SAME_ANYWAY = {
    ("derive an answer", "--all-rows"): "there is no long table",
    ("derive an answer", "--no-intervals"): "Bayes tables have none",
    ("derive an answer", "--allow-unseen"): "the row has none",
    ("explain", "--data"): "its ranges weigh the changes, and the smallest stays the smallest",
    ("edit", "--order"): "whether a value equals another does not depend on the order",
    ("audit", "--order"): "as in edit",
    ("predict", "--strict"): "the model can use every cell",
    ("predict to a file", "--strict"): "as in predict",
    ("import and prove", "--missing"): "the tree asks no column with that mark",
    ("import and prove", "--recode"): "the tree does not ask that column",
    ("check", "--steps"): "what is asserted is settled at once",
    ("check on rows", "--steps"): "proofs are of trees and rules",
    ("choose", "--tune"): "the learners that are named there have nothing to tune, or are as they were given",
    (
        "learning-curve",
        "--order",
    ): "C4.5 and ID3 have a branch for each value, in any order: CART is asked below",
    ("overfitting", "--order"): "as in learning-curve",
    ("bias-variance", "--order"): "as in learning-curve",
    ("stability", "--order"): "as in learning-curve",
    ("explain", "--all"): "fewer leaves have a part in it than are shown at once",
    ("explain a row of a file", "--all"): "as in explain",
    **dict.fromkeys(
        [("look-over", each) for each in ("--order", "--ignore", "--missing")],
        "there is as little to find",
    ),
    ("choose", "--order"): "ID3 and Bayes tables have a branch or a cell for each value, in any order",
    ("components", "--order"): "which rows share a value does not depend on the order",
    ("audit a model", "--most"): "a tree's rules neither overlap nor conflict",
}


TREE_IN_PMML = """<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/><DataDictionary>
<DataField name="Heat" optype="continuous" dataType="double"/>
<DataField name="Play" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/>
</DataField></DataDictionary><TreeModel functionName="classification"
noTrueChildStrategy="returnLastPrediction"> <MiningSchema><MiningField name="Heat"/><MiningField name="Play"
usageType="target"/></MiningSchema> <Node score="no"><True/>
<Node score="no"><SimplePredicate field="Heat" operator="lessOrEqual" value="5"/></Node>
<Node score="yes"><SimplePredicate field="Heat" operator="greaterThan" value="5"/></Node>
</Node></TreeModel></PMML>
"""


def spellings(command: Any) -> Iterator[tuple[str, Any]]:
    for parameter in command.params:
        if parameter.param_type_name == "option" and parameter.name != "help":
            yield max(parameter.opts, key=len), parameter


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_screen_holds_the_help(name: str, clearwood: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = clearwood(name, "--help").out.splitlines()
    assert len(lines) <= SCREEN
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_all_options_are_in_the_whole_help(
    name: str, clearwood: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    brief, whole = clearwood(name, "--help").out, clearwood(name, "--help-all").out
    for spelling, parameter in spellings(COMMANDS[name]):
        assert f"{spelling} " in whole
        assert (f"{spelling} " in brief) == (parameter.rich_help_panel not in FOLDED)


def test_a_letter_stands_for_one_option_and_an_option_takes_one_thing() -> None:
    letters: dict[str, set[str]] = {}
    takes: dict[str, set[str | None]] = {}
    for command in COMMANDS.values():
        for spelling, parameter in spellings(command):
            takes.setdefault(spelling, set()).add(parameter.metavar)
            for short in parameter.opts:
                if len(short) == 2:
                    letters.setdefault(short, set()).add(spelling)
    assert {each for each, options in letters.items() if len(options) > 1} == set()
    assert {each for each, forms in takes.items() if len(forms) > 1} == OF_TWO_FORMS


def test_every_option_is_tried() -> None:
    known = {
        spelling for command in COMMANDS.values() for spelling, each in spellings(command) if not each.is_flag
    }
    assert known == set(GIVEN)
    assert {scene[0] for scene in SCENES.values()} == set(COMMANDS)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table with something for every option to change, and models of it."""
    return made_files(tmp_path_factory.mktemp("options"), range(30))


def made_files(folder: Path, order: Sequence[int]) -> Path:
    """The files that every scene needs, their rows in this order."""
    rows = ["id,Outlook,Heat,Wind,n,Play"]
    for i in order:
        outlook, heat, wind = (
            ("Sunny", "Overcast", "Rainy")[i % 3],
            (i * 7 % 48) / 4 + 0.25,
            "Weak" if i % 5 else "=Gale",
        )
        play = "yes" if outlook == "Overcast" or (heat > 5) == (outlook == "Sunny") or i % 11 == 0 else "no"
        rows.append(f"k{i},{outlook},{heat},{wind},{1 + i % 3},{play}")
    (folder / "d.csv").write_text("\n".join(rows) + "\n")
    fresh = [row for i, row in zip(order, rows[1:], strict=True) if 3 <= i < 23]
    (folder / "fresh.csv").write_text("\n".join([rows[0], *fresh]) + "\n")
    (folder / "scores.csv").write_text(
        "table,a,b,c\nRainy,0.9,0.8,0.6\nx,0.7,0.75,0.5\ny,0.8,0.7,0.6\nz,0.9,0.85,0.7\n"
    )
    (folder / "tree.pmml").write_text(TREE_IN_PMML)
    heats = [float(row.split(",")[2]) for row in rows[1:]]
    (folder / "answers.csv").write_text(
        "\n".join(["Play", *("no" if h <= 5 else "yes" for h in heats)]) + "\n"
    )
    (folder / "rules.txt").write_text(
        "IF Outlook = Overcast THEN Play = yes\nIF Heat > 5 THEN no\nIF Outlook = Rainy THEN yes\n"
    )
    (folder / "assertions.toml").write_text(
        '[[region]]\nwhen = "Outlook = Rainy"\nshare = "yes"\nat_most = 1\n'
        '[[score]]\nscore = "accuracy"\nat_least = 0.1\n'
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        fit = ("fit", "d.csv", "-t", "Play", "-q", "--ignore", "n")
        assert run([*fit, "--save", "tree.json"]) == 0
        assert run([*fit, "-l", "bayes", "--save", "bayes.json"]) == 0
        assert run([*fit, "-l", "logistic", "--set", "penalty=l2", "--save", "logistic.json"]) == 0
        assert run([*fit, "-l", "gam", "--set", "min_leaf=1", "--save", "gam.json"]) == 0
        assert run([*fit, "-l", "ripper", "--save", "rules.json"]) == 0
        assert run([*fit, "-l", "forest", "--set", "trees=20", "--save", "forest.json"]) == 0
        proven = ("--prove", "d.csv", "--certificate", "proof.json", "-q")
        assert run(["export", "tree.json", "-o", "proven.py", *proven]) == 0
        assert run(["schema", "d.csv", "-t", "Play", "--ignore", "Heat", "-q", "--save", "other.json"]) == 0
    return folder


def study_in_short(study: Study, title: str | None, *, since: Model | None, since_name: str) -> Report:
    """Instead of a page, which takes long and repeats the command, what its numbers come from."""
    rows = [len(each) for each in (study.table, study.learned_from, study.held_out) if each is not None]
    shown = (title, study.seed, rows, to_json(study.model), study.training, study.judged, study.folds)
    named = (study.positive, study.fairness, since_name, None if since is None else to_json(since))
    return Report(repr((shown, named)), study)


def server_in_short(app: App, host: str, port: int, started: Callable[[str, int], None]) -> None:
    """Instead of a server, which does not end, what it would go by."""
    started(host, port)
    service = app.service
    print(service.limits, service.admission, service.log.with_data, service.log.quiet)
    service.log.close()


def outcome(folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> tuple[Any, ...]:
    """All that a command leaves behind; its files are taken away again."""
    before = {each.name for each in folder.iterdir()}
    code = run(arguments)
    printed = capsys.readouterr()
    new = sorted(each for each in folder.iterdir() if each.name not in before)
    left = [(each.name, each.read_bytes()) for each in new]
    for each in new:
        each.unlink()
    return code, printed.out, printed.err, left


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("scene", SCENES)
def test_no_option_is_ignored_in_silence(
    scene: str, form: str, files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(files)
    monkeypatch.setattr(making, "report_of", study_in_short)
    monkeypatch.setattr(serving, "run_app", server_in_short)
    capsys.readouterr()
    arguments = (*SCENES[scene], *(("--json",) if form == "json" else ()))
    plain = outcome(files, capsys, arguments)
    assert plain[0] == 0, plain[2]
    ignored = []
    for spelling, parameter in spellings(COMMANDS[arguments[0]]):
        if set(parameter.opts) & set(arguments):
            continue
        if spelling == "--quiet" and (form == "json" or not plain[2]):
            continue  # there is nothing to silence
        flags = [*parameter.secondary_opts, spelling][:1]
        given = GIVEN_TO.get((arguments[0], spelling), GIVEN.get(spelling, ""))
        more = flags if parameter.is_flag else [spelling, given]
        tried = outcome(files, capsys, (*arguments, *more))
        assert tried[0] in (0, 1, 2), tried[2]
        assert not tried[2].startswith(("Usage: ", "Error: ")), tried[2]  # words of typer
        if tried == plain and (scene, spelling) not in SAME_ANYWAY:
            ignored.append(spelling)
    assert ignored == []


@pytest.mark.slow
@pytest.mark.parametrize("command", ["learning-curve", "overfitting", "bias-variance", "stability"])
def test_the_order_of_values_counts_where_trees_are_cut_by_it(
    command: str, files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Yes is between two values of no: CART takes it out at once, unless the order keeps it inside."""
    monkeypatch.chdir(files)
    sizes = ["no" if each in "SL" else "yes" for each in "SML" * 20]
    lines = [f"{size},{k % 7},{play}" for k, (size, play) in enumerate(zip("SML" * 20, sizes, strict=True))]
    Path("sizes.csv").write_text("\n".join(["size,x,Play", *lines]) + "\n")
    few = ("--samples", "5") if command in ("stability", "bias-variance") else ()
    stump = ["-l", "cart:max_depth=1"]
    if command in ("overfitting", "stability"):  # of one learner, whose settings have an option
        stump = ["-l", "cart", "--set", "max_depth=1"]
    asked = (command, "sizes.csv", "-t", "Play", *stump, *few)
    one, other = (
        outcome(files, capsys, (*asked, "--order", f"size={order}")) for order in ("S,M,L", "M,S,L")
    )
    assert (one[0], other[0]) == (0, 0), one[2] + other[2]
    assert one[1] != other[1]


def test_report_of_a_saved_model_refuses_what_it_used_to_ignore(
    clearwood: Command, model: Path, tennis: Path
) -> None:
    for more in (("--weight", "Wind"), ("--seed", 3), ("--ignore", "Wind")):
        done = clearwood("report", tennis, "--model", model, "-o", "r.html", *more)
        assert done.code == 2
        assert f"{more[0]} is for learning, but --model gives a model that is already learned." in done.err


def test_edit_takes_a_query(clearwood: Command, model: Path, tennis: Path) -> None:
    pytest.importorskip("duckdb")
    some = ("--query", "select * from source where Outlook <> 'Overcast'")
    done = clearwood("edit", model, "--train", tennis, *some, "--json").json
    assert done["training"]["before"]["rows"] == 10


@pytest.mark.parametrize("spelling", ["-o", "--output", "-o=", "--output="])
def test_a_model_is_saved_by_save_alone_which_the_refusal_names(
    clearwood: Command, tennis: Path, spelling: str
) -> None:
    given = (f"{spelling}tree.json",) if spelling.endswith("=") else (spelling, "tree.json")
    done = clearwood("fit", tennis, "-t", "PlayTennis", *given)
    assert done.code == 2
    assert f"No such option: {spelling.rstrip('=')} (Possible options: --save)" in done.err
    assert not Path("tree.json").exists()


def test_rows_are_output_and_not_saved(clearwood: Command, model: Path, tennis: Path) -> None:
    done = clearwood("predict", model, tennis, "--save", "rows.csv")
    assert (done.code, "(Possible options: --output)" in done.err) == (2, True)
    done = clearwood("select", tennis, "-t", "PlayTennis", "--by", "gain:2")
    assert (done.code, "No such option: --by" in done.err) == (2, True)


def test_a_number_is_learned_by_cart_where_no_learner_is_named(clearwood: Command) -> None:
    done = clearwood("fit", datasets.path("tennis_numeric"), "-t", "Temperature")
    assert done.code == 0, done.err
    assert "CART learns it. For another learner: --learner NAME." in done.err


def test_a_seed_that_changes_nothing_is_pointed_out(clearwood: Command, tennis: Path) -> None:
    assert "--seed changes nothing" in clearwood("fit", tennis, "-t", "PlayTennis", "--seed", 3).err
    drawn = clearwood("fit", tennis, "-t", "PlayTennis", "--seed", 3, "--test-part", 0.3)
    assert "--seed" not in drawn.err


@pytest.mark.parametrize("arguments", [[], ["fit"], ["predict"]], ids=" ".join)
def test_a_flag_stands_bare_in_the_help(clearwood: Command, arguments: list[str]) -> None:
    assert "bool" not in clearwood(*arguments, "--help").out.lower()
