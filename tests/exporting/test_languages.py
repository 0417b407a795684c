"""Programs in programming languages answer as the model does: the language itself is run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.exporting import RUNNERS
from clearwood.exporting.code.code_writer import CodeWriter, Language
from clearwood.exporting.code.javascript import JAVASCRIPT
from clearwood.exporting.code.python import PYTHON
from clearwood.exporting.exportable import program_to_export
from clearwood.exporting.exporting import export
from clearwood.exporting.running.runner import Ran
from clearwood.models.model import Model
from tests.exporting.every_format import LANGUAGES, marked
from tests.exporting.models_to_export import learners, made_table, near
from tests.exporting.test_program import DECISIONS, ROWS

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
QUICK_MODELS = {  # of every day; a compiler takes its time
    "python": list(learners()),
    "javascript": list(learners()),
    "c": ["c45", "cart in full", "cn2 votes", "kernel bayes", "gam"],
}


def check(model: Model, language: str, rows: list[dict[str, str | float | None]], **options: str) -> None:
    exported = export(model, language, **options)
    ran = RUNNERS[exported.target].run(exported, rows)
    if not isinstance(ran, Ran):
        pytest.skip(ran.because)
    answers = cw.predict(model, rows)
    if model.is_numeric:
        assert all(near(float(one), float(other)) for one, other in zip(ran.answers, answers, strict=True))  # type: ignore[arg-type]
        return
    assert list(ran.answers) == answers.tolist()
    assert ran.shares is not None
    assert np.abs(np.array(ran.shares) - cw.shares(model, rows)).max() < 1e-12


def pairs() -> Iterator[object]:
    for language in LANGUAGES:
        for name in learners():
            everyday = name in QUICK_MODELS.get(language, ())
            yield pytest.param(language, name, marks=[] if everyday else pytest.mark.prove)


@pytest.mark.parametrize(("language", "name"), list(pairs()))
def test_every_kind_of_model_in_every_language(language: str, name: str) -> None:
    check(learners()[name].learn(made_table()), language, ROWS)


@pytest.mark.parametrize("decision", list(DECISIONS))
@pytest.mark.parametrize(
    "language",
    [
        pytest.param(each, marks=[] if each == "javascript" else pytest.mark.prove)
        for each in LANGUAGES
        if each != "python"  # whose decisions test_program.py tries
    ],
)
def test_a_decision_goes_along(language: str, decision: str) -> None:
    for name in ("c45", "cn2 votes", "bayes"):
        model = learners()[name].learn(made_table())
        check(replace(model, decision=DECISIONS[decision]), language, ROWS)


@pytest.mark.parametrize("language", marked(LANGUAGES))
def test_numbers_are_answered_as_well(language: str) -> None:
    check(cw.CART().learn(made_table(numeric=True)), language, ROWS)


@pytest.mark.parametrize("language", marked(LANGUAGES))
def test_columns_and_values_may_be_called_anything(language: str) -> None:
    names = [
        "for",
        "1st",
        "a b",
        "a_b",
        "größe",
        '"',
        "'",
        "\\",
        "*/",
        "//",
        "${x}",
        "日本",
        "%s",
        "row",
        "x1",
    ]
    values = ["a", " a", "a ", "A", '"', "'", "\\", "\n", "\t", "é", "e\u0301", "💚", "%d", "??/", "\\u0041"]
    given: list[dict[str, str | float | None]] = [
        {name: values[(at * (place + 1)) % len(values)] for place, name in enumerate(names)}
        for at in range(48)
    ]
    schema = cw.Schema(
        tuple(cw.Nominal(name, tuple(values)) for name in names), cw.Nominal("class\n*/", ("a", "b"))
    )
    table = cw.encode([{**row, "class\n*/": "ab"[at % 2]} for at, row in enumerate(given)], schema)
    check(cw.ID3().learn(table), language, given)
    check(cw.NaiveBayes().learn(table), language, given)


ODD = (
    "C:\\users\\bob",
    "\\ü",
    "a */ b",
    "/*",
    "a\u2028b",
    "a\r\nb",
    'ends in """',
    "\x1b",
    "ends in \\",
)


def odd_tree(odd: tuple[str, ...]) -> Model:
    """A tree with a leaf for each of these, which is a class as well."""
    schema = cw.Schema((cw.Nominal(odd[0], odd),), cw.Nominal(f"class {' '.join(odd)}", odd))
    rows = [{odd[0]: each, f"class {' '.join(odd)}": each} for each in odd]
    return cw.ID3().learn(cw.encode(rows * 3, schema))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_comment_is_read_as_code(language: str) -> None:
    tree = odd_tree(ODD)
    check(tree, language, [{ODD[0]: each} for each in ODD])
    text = export(tree, language).text
    assert not set("\x1b\u2028\r") & set(text)
    if language == "java":
        comments = [line.partition("// ")[2] for line in text.split("\n")]
        assert any("bob" in line for line in comments)
        assert not any("\\u" in line for line in comments)


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_a_text_with_a_nul_arrives_where_it_can_be_written(language: str) -> None:
    odd = ("a\0b", "c")
    check(odd_tree(odd), language, [{odd[0]: each} for each in odd])
    assert "\0" not in export(odd_tree(odd), language).text


def test_a_text_with_a_nul_is_refused_by_c() -> None:
    with pytest.raises(SettingError, match="ends at its first NUL"):
        export(odd_tree(("a\0b", "c")), "c")


@pytest.mark.parametrize("language", marked(LANGUAGES))
def test_a_column_without_a_name_is_asked_for(language: str) -> None:
    check(odd_tree(("", "c")), language, [{"": each} for each in ("", "c", None)])


@pytest.mark.prove
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tree_of_thousands_of_leaves(language: str) -> None:
    random = np.random.default_rng(0)
    columns = {name: random.normal(size=6000).round(3) for name in "abcd"}
    table = cw.read_table({**columns, "y": random.choice(["p", "q"], 6000)}, target="y")
    tree = cw.CART(alpha=0.0, min_leaf=1).learn(table)
    assert tree.leaves > 1500
    check(tree, language, [{name: float(random.normal()) for name in "abcd"} for _ in range(50)])


def test_a_step_that_nobody_asks_for_is_left_out() -> None:
    """A cutoff asks for no largest score, and a C compiler warns of what is set and not read."""
    model = learners()["logistic"].learn(made_table())
    assert "largest" in export(model, "c").text
    by_cutoff = replace(model, decision=DECISIONS["cutoff"])
    assert "largest" not in export(by_cutoff, "c").text
    check(by_cutoff, "c", ROWS[:20])


def test_an_ensemble_too_large_for_a_program_is_refused() -> None:
    random = np.random.default_rng(0)
    columns = {name: random.normal(size=2000) for name in "abcd"}
    table = cw.read_table({**columns, "y": random.choice(["p", "q"], 2000)}, target="y")
    forest = cw.Forest(trees=200, seed=1).learn(table)
    with pytest.raises(SettingError, match="nodes"):
        export(forest, "python")


def test_an_ensemble_of_other_members_is_exported_too() -> None:
    check(cw.Bagging(of=cw.NaiveBayes(), trees=2).learn(made_table()), "python", ROWS)


def test_a_name_that_the_language_cannot_have_is_refused() -> None:
    model = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    with pytest.raises(SettingError, match="prefix"):
        export(model, "c", prefix="int")
    with pytest.raises(SettingError, match="name that a class of Java can have"):
        export(model, "java", name="1st")
    assert "struct" in export(model, "c", prefix="tennis").text
    with pytest.raises(SettingError, match="'mixed_answer' is a variable"):
        export(cw.C45(max_depth=2).learn(made_table()), "c", prefix="mixed")
    assert "package org.tennis;" in export(model, "java", package="org.tennis").text


def test_an_unknown_format_or_option_is_named() -> None:
    model = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    with pytest.raises(SettingError, match="javascript"):
        export(model, "javascrip")
    with pytest.raises(SettingError, match="No option of c called 'prefx'"):
        export(model, "c", prefx="a")


def test_a_language_may_have_a_sign_before_its_variables() -> None:
    program = program_to_export(learners()["bayes"].learn(made_table()))
    plain = CodeWriter(PYTHON, program).statements("")
    signed = CodeWriter(replace(PYTHON, sigil="$"), program).statements("")
    names = sorted([*CodeWriter(PYTHON, program).inputs, *(step.name for step in program.steps)], key=len)
    pattern = re.compile(rf"\b({'|'.join(reversed(names))})\b")
    assert [pattern.sub(r"$\1", line) for line in plain] == signed


JAVA_NAMES = "class record var yield _ Map String Double Math Object System java CLASSES_1 T1_1 a.b"


@pytest.mark.parametrize("name", JAVA_NAMES.split())
def test_a_name_that_no_class_of_java_can_have_is_refused(name: str) -> None:
    with pytest.raises(SettingError, match="name must"):
        export(cw.ID3().learn(made_table()), "java", name=name)


@pytest.mark.parametrize("package", ["org.int", "java.util", "javax.swing", "a..b", "_", "true.x"])
def test_a_package_that_java_cannot_have_is_refused(package: str) -> None:
    with pytest.raises(SettingError, match=r"package must .*'org\.example'"):
        export(cw.ID3().learn(made_table()), "java", package=package)


@pytest.mark.prove
def test_names_that_look_like_words_of_java_compile() -> None:
    for name, package in (("T", "org.record"), ("Integer", "var.yield"), ("when", "String"), ("$1", "a")):
        proof = cw.prove(
            export(cw.C45(max_depth=2).learn(made_table()), "java", name=name, package=package), most=20
        )
        assert proof.status == "passed", (name, package, proof.because)


LUA = replace(
    JAVASCRIPT,
    name="Lua",
    comment=lambda text: f"-- {text}",
    same_text=lambda cell, value: f"{cell} == {value}",
    is_no_text=lambda cell: f"{cell} == nil",
    is_no_number=lambda cell: f"{cell} ~= {cell}",
    choice=lambda test, then, otherwise: f"({test} and {then} or {otherwise})",
    at=lambda entries, place: f"{entries}[{place} + 1]",
    both="and",
    either="or",
    equals="==",
    assign=lambda name, value, _: f"local {name} = {value}",
    declare=lambda name, _: f"local {name}",
    set=lambda name, value: f"{name} = {value}",
    if_=lambda test: f"if {test} then",
    else_if=lambda test: f"elseif {test} then",
    else_="else",
    end="end",
)
R = replace(
    JAVASCRIPT,
    name="R",
    comment=lambda text: f"# {text}",
    same_text=lambda cell, value: f"identical({cell}, {value})",
    is_no_text=lambda cell: f"is.na({cell})",
    is_no_number=lambda cell: f"is.na({cell})",
    compare=lambda left, sign, right: f"isTRUE({left} {sign} {right})",
    choice=lambda test, then, otherwise: f"(if ({test}) {then} else {otherwise})",
    at=lambda entries, place: f"{entries}[[{place} + 1]]",
    equals="==",
    assign=lambda name, value, _: f"{name} <- {value}",
    declare=lambda _, __: "",
    set=lambda name, value: f"{name} <- {value}",
)
GO = replace(
    JAVASCRIPT,
    name="Go",
    same_text=lambda cell, value: f"{cell} != nil && *{cell} == {value}",
    is_no_text=lambda cell: f"{cell} == nil",
    choice=lambda test, then, otherwise: f"pick({test}, {then}, {otherwise})",
    equals="==",
    assign=lambda name, value, _: f"{name} := {value}",
    declare=lambda name, whole: f"var {name} {'int' if whole else 'float64'}",
    if_=lambda test: f"if {test} {{",
    else_if=lambda test: f"}} else if {test} {{",
)


@pytest.mark.parametrize(
    ("language", "statements"),
    [
        (
            LUA,
            """\
local rule
if (x_a == "u" and (x_x > 3.5 or x_x ~= x_x)) then
    rule = 0  -- IF a = u AND (x > 3.5 or missing) THEN p
elseif x_a == nil then
    rule = 1  -- IF a is missing THEN p
else
    rule = 2  -- OTHERWISE n
end
local share_1 = T1[rule + 1]
local share_2 = T2[rule + 1]
local answer = T3[rule + 1]""",
        ),
        (
            R,
            """\
if ((identical(x_a, "u") && (isTRUE(x_x > 3.5) || is.na(x_x)))) {
    rule <- 0  # IF a = u AND (x > 3.5 or missing) THEN p
} else if (is.na(x_a)) {
    rule <- 1  # IF a is missing THEN p
} else {
    rule <- 2  # OTHERWISE n
}
share_1 <- T1[[rule + 1]]
share_2 <- T2[[rule + 1]]
answer <- T3[[rule + 1]]""",
        ),
        (
            GO,
            """\
var rule int
if (x_a != nil && *x_a == "u" && (x_x > 3.5 || x_x != x_x)) {
    rule = 0;  // IF a = u AND (x > 3.5 or missing) THEN p
} else if x_a == nil {
    rule = 1;  // IF a is missing THEN p
} else {
    rule = 2;  // OTHERWISE n
}
share_1 := T1[rule]
share_2 := T2[rule]
answer := T3[rule]""",
        ),
    ],
    ids=["lua", "r", "go"],
)
def test_a_table_of_spellings_is_enough_for_lua_r_and_go(language: Language, statements: str) -> None:
    schema = cw.Schema((cw.Numeric("x"), cw.Nominal("a", ("u", "v"))), cw.Nominal("y", ("n", "p")))
    rules = (
        cw.Rule((cw.Equals("a", "u"), cw.Above("x", 3.5, True)), "p", (0.0, 3.0)),
        cw.Rule((cw.IsMissing("a"),), "p", (1.0, 2.0)),
    )
    model = cw.RuleList(schema, rules, cw.Otherwise("n", (4.0, 0.0)))
    assert "\n".join(CodeWriter(language, program_to_export(model)).statements("")) == statements


@pytest.mark.parametrize("language", [LUA, R, GO], ids=lambda each: each.name)
def test_no_language_gets_a_choice_or_a_comparison_that_is_not_its_own(language: Language) -> None:
    for name in ("c45", "cart in full", "cn2 votes", "bayes"):
        program = program_to_export(learners()[name].learn(made_table()))
        lines = [line.partition("  //")[0] for line in CodeWriter(language, program).statements("")]
        text = "\n".join(line.partition("  --")[0].partition("  #")[0] for line in lines)
        assert " ? " not in text
        assert language is not LUA or "!=" not in text
        assert language is not R or not re.search(r"(?<!isTRUE\()\b(x_\w+) [<>]=? ", text)
