"""SQL as text: what a reader sees, what awkward names and values do to it, and what is refused."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.exporting import RUNNERS
from clearwood.exporting.exportable import program_to_export
from clearwood.exporting.exporting import export
from clearwood.exporting.running.runner import NotRun, Ran
from clearwood.exporting.sql.dialects import DIALECTS, OF_ANY
from clearwood.exporting.sql.literals import of_sqlite, with_exponent
from clearwood.exporting.sql.naming import source_in_sql
from clearwood.exporting.sql.paths import along_paths
from clearwood.models.model import Model
from clearwood.models.program.evaluating import evaluated
from clearwood.table.attributes import Attribute, Nominal, Numeric
from clearwood.table.schema import Schema
from tests.exporting.models_to_export import learners, made_rows, made_table
from tests.exporting.test_sql import SOURCES

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")


def small_tree() -> Model:
    rows: list[dict[str, Any]] = [
        {"age": age, "Size": size, "class": "yes" if age > 30 and size == "L" else "no"}
        for age in range(20, 45)
        for size in "SML"
    ]
    schema = Schema((Numeric("age"), Nominal("Size", ("S", "M", "L"))), Nominal("class", ("no", "yes")))
    return cw.CART(surrogates=0).learn(cw.encode(rows, schema))


def body(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("-- "))


def test_a_small_tree_reads_as_a_tree() -> None:
    text = export(small_tree(), "sql", dialect="postgres", form="expression").text
    assert (
        body(text)
        == """\
CASE
  WHEN "Size" = 'L' THEN CASE
    WHEN "age" <= 30.5 THEN 'no' -- IF Size = L AND age ≤ 30.5 THEN no
    ELSE 'yes' -- IF Size = L AND age > 30.5 THEN yes
  END
  ELSE 'no' -- IF Size in {S, M} THEN no
END"""
    )


def test_a_small_query_has_all_columns_the_answer_and_its_reason() -> None:
    text = export(small_tree(), "sql", source="people").text
    assert (
        body(text)
        == """\
WITH
  cw_input AS (
    SELECT
      *,
      NULLIF(CAST(cw_source."age" AS DOUBLE), 'NaN'::DOUBLE) AS cw_age,
      CAST(cw_source."Size" AS VARCHAR) COLLATE C AS cw_size
    FROM people AS cw_source
  ),
  cw_level_1 AS (
    SELECT
      *,
      CASE
        WHEN cw_size = 'L' THEN CASE WHEN cw_age <= 30.5e0 THEN 1 ELSE 2 END
        ELSE 0
      END AS cw_leaf
    FROM cw_input
  ),
  cw_level_2 AS (
    SELECT
      *,
      CASE cw_leaf
        WHEN 0 THEN 1e0
        WHEN 1 THEN 1e0
        ELSE 0e0
      END AS cw_share_1,
      CASE cw_leaf
        WHEN 0 THEN 0e0
        WHEN 1 THEN 0e0
        ELSE 1e0
      END AS cw_share_2,
      CASE cw_leaf
        WHEN 0 THEN 0
        WHEN 1 THEN 0
        ELSE 1
      END AS cw_answer
    FROM cw_level_1
  )
SELECT
  * EXCLUDE (cw_age, cw_size, cw_leaf, cw_share_1, cw_share_2, cw_answer),
  CASE cw_answer
    WHEN 0 THEN 'no'
    WHEN 1 THEN 'yes'
  END AS "prediction",
  cw_share_1 AS "share_no",
  cw_share_2 AS "share_yes",
  CASE WHEN cw_leaf >= 0 THEN cw_leaf + 1 END AS "leaf",
  CASE
    WHEN cw_leaf >= 0 THEN CASE cw_leaf
      WHEN 0 THEN 'IF Size in {S, M} THEN no'
      WHEN 1 THEN 'IF Size = L AND age ≤ 30.5 THEN no'
      ELSE 'IF Size = L AND age > 30.5 THEN yes'
    END
    ELSE 'several leaves, each with its part of the row'
  END AS "reason"
FROM cw_level_2"""
    )


def test_the_outputs_and_the_columns_that_go_along_are_chosen() -> None:
    query = export(small_tree(), "sql", dialect="sqlite", outputs="reason,region", keep="age").text
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE source (id INTEGER, age REAL, Size TEXT)")
    connection.execute("INSERT INTO source VALUES (7, 40, 'L'), (8, 20, NULL)")
    found = connection.execute(query)
    assert [each[0] for each in found.description] == ["age", "leaf", "reason"]
    assert found.fetchone() == (40.0, 3, "IF Size = L AND age > 30.5 THEN yes")


def test_all_columns_of_the_source_go_along() -> None:
    for dialect in ("sqlite", "duckdb"):
        query = export(small_tree(), "sql", dialect=dialect, source="people").text
        made = "CREATE TABLE people (id INTEGER, Size TEXT, age REAL, leaf_area REAL)"
        row = "INSERT INTO people VALUES (7, 'L', 40, 2.5)"
        names, fetched = _fetched(dialect, [made, row], query)
        assert names[:4] == ["id", "Size", "age", "leaf_area"]
        assert fetched[0][:5] == (7, "L", 40.0, 2.5, "yes")


def test_a_nan_is_missing_and_not_above_all_numbers() -> None:
    rows: list[dict[str, Any]] = [{"x": float(x), "class": "ab"[x > 5]} for x in range(20)]
    schema = Schema((Numeric("x"),), Nominal("class", ("a", "b")))
    tree = cw.CART().learn(cw.encode(rows, schema))
    low = cw.predict(tree, [{"x": None}])[0]
    made = ["CREATE TABLE source (x DOUBLE)", "INSERT INTO source VALUES ('NaN'), (NULL)"]
    query = export(tree, "sql", outputs=["prediction"]).text
    assert [row[1] for row in _fetched("duckdb", made, query)[1]] == [low, low]
    expression = export(tree, "sql", form="expression").text
    found = _fetched("duckdb", made, f"SELECT (\n{expression}) FROM source")[1]
    assert found == [(low,), (low,)]


def test_case_counts_even_where_a_column_ignores_it() -> None:
    for dialect in ("sqlite", "duckdb"):
        made = [
            "CREATE TABLE source (age DOUBLE, Size TEXT COLLATE NOCASE)",
            "INSERT INTO source VALUES (40, 'L'), (40, 'l')",
        ]
        query = export(small_tree(), "sql", dialect=dialect, outputs="prediction", keep="Size").text
        assert _fetched(dialect, made, query)[1] == [("L", "yes"), ("l", "no")]


def test_texts_without_digits_are_missing_numbers_in_sqlite() -> None:
    made = [
        "CREATE TABLE source (age TEXT, Size TEXT)",
        "INSERT INTO source VALUES ('', 'L'), ('NA', 'L'), ('40', 'L'), (' 2e1', 'L')",
    ]
    query = export(small_tree(), "sql", dialect="sqlite", outputs="prediction", keep=()).text
    missing = cw.predict(small_tree(), [{"age": None, "Size": "L"}])[0]
    assert [row[0] for row in _fetched("sqlite", made, query)[1]] == [missing, missing, "yes", "no"]


AWKWARD = (
    "cw_leaf",
    "Prediction",
    "CW_AGE",
    "a`b",
    'say "hi"',
    "x]y",
    "new\nline",
    "back\\slash`",
    "reason",
    "SELECT",
)


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "bigquery", "mssql", "mysql", "spark", "snowflake"])
def test_awkward_names_and_values_arrive(dialect: str) -> None:
    if dialect not in ("duckdb", "sqlite"):
        pytest.importorskip("sqlglot")
    values = (
        "it's",
        "back\\slash",
        "line\nbreak",
        "trail ",
        "trail",
        "UPPER",
        "upper",
        "größe",
        "--",
        "%s{}",
        "",
    )
    classes = ("Yes", "yes", "it's -- /* no")
    random = Random(1)
    rows: list[dict[str, Any]] = []
    for _ in range(300):
        row: dict[str, Any] = {name: random.choice(values) for name in AWKWARD[:4]}
        row |= {name: random.random() for name in AWKWARD[4:]}
        place = values.index(row["cw_leaf"]) + (row["reason"] > 0.5) + values.index(row["a`b"])
        rows.append({**row, "class": classes[place % 3]})
    attributes: list[Attribute] = [Nominal(name, values) for name in AWKWARD[:4]]
    attributes += [Numeric(name) for name in AWKWARD[4:]]
    table = cw.encode(rows, Schema(tuple(attributes), Nominal("class", classes)))
    model = cw.CART(alpha=0.0, min_leaf=4, surrogates=1).learn(table)
    asked = [{name: row[name] for name in AWKWARD} for row in rows]
    for form in ("select", "expression"):
        ran = RUNNERS[dialect].run(export(model, "sql", dialect=dialect, form=form), asked)
        assert isinstance(ran, Ran)
        assert list(ran.answers) == list(cw.predict(model, asked))


def named_tree(name: str, target: str = "class", values: tuple[str, ...] = ("a", "b")) -> Model:
    rows = [{name: values[x % 2], target: "yn"[x % 2]} for x in range(20)]
    return cw.ID3().learn(cw.encode(rows, Schema((Nominal(name, values),), Nominal(target, ("y", "n")))))


def test_a_name_cannot_end_its_quotes_in_bigquery() -> None:
    text = export(named_tree("a` FROM secrets; \\"), "sql", dialect="bigquery").text
    assert r"`a\` FROM secrets; \\`" in text
    assert "`a` FROM" not in body(text)


@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_what_sql_cannot_hold_is_refused_with_a_sentence(dialect: str) -> None:
    with pytest.raises(SettingError, match="without a name"):
        export(named_tree(""), "sql", dialect=dialect)
    with pytest.raises(SettingError, match="SQL cannot write"):
        export(named_tree("a\0"), "sql", dialect=dialect)
    with pytest.raises(SettingError, match="SQL cannot write"):
        export(named_tree("a", values=("a\0", "b")), "sql", dialect=dialect)
    assert "\0" not in export(named_tree("a", "y\0"), "sql", dialect=dialect).text


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "bigquery", "spark"])
@pytest.mark.parametrize("wrong", ["SELECT ((", "SELECT `", "SELECT 1 AS one FROM source"])
def test_a_query_that_the_database_cannot_read_has_failed(dialect: str, wrong: str) -> None:
    if dialect not in ("duckdb", "sqlite"):
        pytest.importorskip("sqlglot")
    exported = replace(export(named_tree("a"), "sql", dialect=dialect), content=wrong)
    proof = cw.prove(exported, most=5)
    assert (proof.status, bool(proof.because)) == ("failed", True)


@pytest.mark.parametrize("dialect", list(DIALECTS))
@pytest.mark.parametrize("source", SOURCES)
def test_any_name_of_a_table_is_quoted_where_it_has_to_be(source: str, dialect: str) -> None:
    if dialect == "postgres":  # a server is started by `make prove`
        pytest.skip("tried in test_sql.py")
    if dialect not in ("duckdb", "sqlite"):
        pytest.importorskip("sqlglot")
    for form in ("select", "expression"):
        proof = cw.prove(export(named_tree("a"), "sql", dialect=dialect, source=source, form=form), most=5)
        assert proof.status == ("passed" if dialect in ("duckdb", "sqlite") else "not run"), str(proof)
        assert proof.certificate.compared, str(proof)


def test_plain_names_of_tables_stay_without_quotes() -> None:
    for dialect in DIALECTS:
        assert (
            "FROM sales.Orders_2 AS"
            in export(named_tree("a"), "sql", dialect=dialect, source="sales.Orders_2").text
        )
    for dialect, quoted in [("mssql", "dbo.[user]"), ("mysql", "dbo.`user`"), ("postgres", 'dbo."user"')]:
        assert f"FROM {quoted} AS" in export(named_tree("a"), "sql", dialect=dialect, source="dbo.user").text
    # Snowflake would write a plain name in capitals, so that only its own words are quoted.
    assert "FROM dbo.user AS" in export(named_tree("a"), "sql", dialect="snowflake", source="dbo.user").text


def test_every_word_that_a_database_keeps_for_itself_is_quoted() -> None:
    for dialect in ("sqlite", "duckdb"):
        connection = _connected(dialect)
        words = set(OF_ANY)
        if dialect == "duckdb":
            asked = (
                "SELECT DISTINCT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
            )
            words = {row[0] for row in connection.execute(asked).fetchall()}
        for word in words:
            table = source_in_sql((word,), DIALECTS[dialect])
            connection.execute(f"CREATE TABLE {table} (x INTEGER)")
            assert connection.execute(f"SELECT * FROM {table} AS y").fetchall() == []


@pytest.mark.parametrize(
    ("source", "dialect", "sentence"),
    [
        ("a..b", "duckdb", "empty name"),
        ("a. b", "duckdb", "blanks at the end"),
        ("a\nb", "sqlite", "no name of a table can have"),
        ("a.b.c", "sqlite", "at most 2"),
        ("a.b.c.d", "postgres", "at most 3"),
        ("a.b.c", "mysql", "at most 2"),
    ],
)
def test_what_cannot_be_the_name_of_a_table_is_refused(source: str, dialect: str, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        export(named_tree("a"), "sql", dialect=dialect, source=source)


def test_columns_that_differ_in_case_alone_are_refused_where_they_are_one() -> None:
    rows = [
        {"n": float(x % 7), "N": float(x % 5), "class": "ab"[(x % 7 > 3) ^ (x % 5 > 2)]} for x in range(70)
    ]
    schema = Schema((Numeric("n"), Numeric("N")), Nominal("class", ("a", "b")))
    tree = cw.CART(alpha=0.0).learn(cw.encode(rows, schema))
    with pytest.raises(SettingError, match="takes the columns 'n' and 'N' for one"):
        export(tree, "sql", dialect="duckdb")
    assert export(tree, "sql", dialect="postgres").text


def test_numbers_in_sqlite_are_those_of_the_model_to_the_last_bit() -> None:
    random = Random(5)
    numbers = [random.uniform(0, 1000) for _ in range(400)]
    numbers += [random.uniform(-1, 1) * 10.0 ** random.randint(-300, 300) for _ in range(400)]
    numbers += [0.1 + 0.2, 5e-324, 1.7976931348623157e308, 2.0**53 + 2, 1e22, 1e23, -0.0, 1e16, 0.1, 2.45]
    connection = sqlite3.connect(":memory:")
    for number in numbers:
        (read,) = connection.execute(f"SELECT {of_sqlite(number)}").fetchone()
        assert read == number, number
        assert isinstance(read, float)


def test_numbers_in_duckdb_are_those_of_the_model_to_the_last_bit() -> None:
    duckdb = pytest.importorskip("duckdb")
    random = Random(6)
    numbers = [random.uniform(-1, 1) * 10.0 ** random.randint(-300, 300) for _ in range(300)]
    numbers += [0.1 + 0.2, 5e-324, 1.7976931348623157e308, 2.0**53 + 2, 30.0]
    listed = ", ".join(map(with_exponent(), numbers))
    assert duckdb.connect().execute(f"SELECT [{listed}]").fetchall()[0][0] == numbers


def large_tree() -> Model:
    """Some 800 leaves, with names and values as tables have them."""
    random = Random(3)
    countries = ("United-States", "Mexico", "Philippines", "Germany", "Canada", "India", "England", "Cuba")
    jobs = ("Craft-repair", "Exec-managerial", "Sales", "Tech-support", "Other-service", "Adm-clerical")
    rows = [
        {
            "age": float(random.randint(17, 90)),
            "native-country": random.choice(countries),
            "occupation": random.choice(jobs),
            "hours-per-week": float(random.randint(1, 99)),
            "capital-gain": random.choice([0.0, 0.0, round(random.uniform(0, 9999), 2)]),
            "class": random.choice(("<=50K", ">50K")),
        }
        for _ in range(3250)
    ]
    attributes = (
        Numeric("age"),
        Nominal("native-country", countries),
        Nominal("occupation", jobs),
        Numeric("hours-per-week"),
        Numeric("capital-gain"),
    )
    table = cw.encode(rows, Schema(attributes, Nominal("class", ("<=50K", ">50K"))))
    return cw.CART(alpha=0.0, min_rows=4).learn(table)


def test_the_class_of_a_tree_of_800_leaves_is_short_and_has_its_rules() -> None:
    tree = large_tree()
    assert isinstance(tree, cw.Tree)
    assert tree.leaves >= 800
    for dialect in DIALECTS:
        exported = export(tree, "sql", dialect=dialect, form="expression")
        assert len(exported.text.encode()) < 200_000
        assert len(re.findall(r"-- IF .* THEN ", exported.text)) >= tree.leaves
    asked = {"age": 40.0, "native-country": None, "occupation": "Sales", "capital-gain": 0.0}
    rows = [{**asked, "hours-per-week": float(hours)} for hours in range(1, 99, 7)]
    ran = RUNNERS["sqlite"].run(export(tree, "sql", dialect="sqlite", form="expression"), rows)
    assert isinstance(ran, Ran)
    assert list(ran.answers) == list(cw.predict(tree, rows))
    ran = RUNNERS["sqlite"].run(export(tree, "sql", dialect="sqlite"), rows)
    assert isinstance(ran, Ran)
    assert list(ran.answers) == list(cw.predict(tree, rows))


def test_a_deep_tree_is_no_deeper_than_a_database_takes() -> None:
    rows = [{"x": float(x), "class": "ab"[x % 2]} for x in range(200)]
    schema = Schema((Numeric("x"),), Nominal("class", ("a", "b")))
    tree = cw.CART(alpha=0.0, min_leaf=1).learn(cw.encode(rows, schema))
    asked = [{"x": x / 4} for x in range(-4, 820, 3)]
    for form in ("select", "expression"):
        ran = RUNNERS["sqlite"].run(export(tree, "sql", dialect="sqlite", form=form), asked)
        assert isinstance(ran, Ran)
        assert list(ran.answers) == list(cw.predict(tree, asked))


def test_rows_that_a_tree_divides_are_added_along_paths_in_the_order_of_the_program() -> None:
    program = program_to_export(learners()["c45 in full"].learn(made_table()))
    paths = replace(program, steps=along_paths(program.steps))
    assert any(step.name.startswith("into_") for step in paths.steps)
    divided = [row for row in made_rows(60, 3, missing=0.4) if evaluated(program, row).region == -1]
    assert len(divided) > 10
    for row in divided:
        assert evaluated(paths, row) == evaluated(program, row)


def test_a_tree_of_hundreds_of_leaves_that_divides_rows_has_few_levels_and_columns() -> None:
    random = Random(4)
    rows = [
        {**{f"x{n}": float(random.randint(0, 9)) for n in range(5)}, "class": random.choice("ab")}
        for _ in range(1200)
    ]
    schema = Schema(tuple(Numeric(f"x{n}") for n in range(5)), Nominal("class", ("a", "b")))
    tree = cw.ID3().learn(cw.encode(rows, schema))
    assert tree.leaves > 400
    text = export(tree, "sql", dialect="postgres").text
    assert len(re.findall(r"^  cw_level_", text, re.M)) <= 16
    levels = text.split(" AS MATERIALIZED (")[2:]
    assert max(len(re.findall(r" AS cw_", level)) for level in levels) <= 700
    asked: list[dict[str, Any]] = [
        {f"x{n}": random.choice([None, float(random.randint(0, 9))]) for n in range(5)} for _ in range(50)
    ]
    ran = RUNNERS["sqlite"].run(export(tree, "sql", dialect="sqlite"), asked)
    assert isinstance(ran, Ran)
    assert list(ran.answers) == list(cw.predict(tree, asked))
    assert ran.shares == tuple(map(tuple, cw.shares(tree, asked).tolist()))


def test_a_query_that_is_wider_than_the_database_takes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow = replace(DIALECTS["postgres"], columns=20)
    monkeypatch.setattr(DIALECTS, "find", lambda _: narrow)
    with pytest.raises(
        SettingError, match=r"at most 20 columns.*Write it for duckdb, or learn a smaller model"
    ):
        export(learners()["c45 in full"].learn(made_table()), "sql", dialect="postgres")


def test_rows_that_a_tree_divides_have_no_answer_if_that_is_asked_for() -> None:
    tree = learners()["c45"].learn(made_table())
    with pytest.raises(SettingError, match=r"form='select'.*divided='null'"):
        export(tree, "sql", form="expression")
    exported = export(tree, "sql", form="expression", divided="null")
    rows = [*made_rows(40, 3, missing=0.0), *made_rows(1, 4, missing=1.0)]
    ran = RUNNERS["duckdb"].run(exported, rows)
    assert isinstance(ran, Ran)
    assert list(ran.answers) == [*cw.predict(tree, rows[:-1]), None]


def test_what_explodes_as_an_expression_is_refused_with_the_way_out() -> None:
    forest = learners()["forest"].learn(made_table())
    with pytest.raises(SettingError, match="form='select'"):
        export(forest, "sql", form="expression")


def test_wrong_options_are_named() -> None:
    tree = small_tree()
    for options, sentence in [
        ({"dialect": "duckbd"}, "Did you mean 'duckdb'"),
        ({"form": "query"}, "No form of SQL 'query'. Forms: select, "),
        ({"outputs": "share"}, "Did you mean 'shares'"),
        ({"outputs": "zz"}, "Outputs of a query: prediction, "),
        ({"source": " "}, "source='customers'"),
        ({"form": "expression", "divided": "zero"}, "way with divided rows 'zero'. Ways: refuse, null."),
    ]:
        with pytest.raises(SettingError, match=re.escape(sentence)):
            export(tree, "sql", **options)


def test_a_model_of_texts_is_refused_with_the_way_out() -> None:
    rows = [{"text": "good day", "class": "a"}, {"text": "bad night", "class": "b"}] * 3
    table = cw.read_table(rows, target="class", kinds={"text": "text"})
    with pytest.raises(SettingError, match="python or javascript"):
        export(cw.NaiveBayes().learn(table), "sql")


def test_a_table_of_four_names_is_not_run_where_there_are_none() -> None:
    pytest.importorskip("sqlglot")
    exported = export(small_tree(), "sql", dialect="mssql", source="far.sales.dbo.the customers")
    assert "FROM far.sales.dbo.[the customers] AS" in exported.text
    assert isinstance(RUNNERS["mssql"].run(exported, []), NotRun)


def _fetched(dialect: str, made: list[str], query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    connection = _connected(dialect)
    for each in made:
        connection.execute(each)
    found = connection.execute(query)
    return [each[0] for each in found.description], found.fetchall()


def _connected(dialect: str) -> Any:
    return sqlite3.connect(":memory:") if dialect == "sqlite" else pytest.importorskip("duckdb").connect()


LONG = "ä" * 32
NAMES_REFUSED = [
    ("postgres", LONG, "is longer than 63 bytes"),
    ("mysql", "a" * 65, "is longer than 64 characters"),
    ("mysql", "mood 😀", "beyond U\\+FFFF"),
    ("mysql", "mood ", "ends with a blank"),
    ("mssql", "😀" * 65, "is longer than 128 UTF-16 units"),
    ("snowflake", "a" * 256, "is longer than 255 characters"),
    ("bigquery", "a" * 301, "is longer than 300 characters"),
]


def tree_that_asks(name: str) -> Model:
    rows = [{name: float(k), "c": "pq"[k > 3]} for k in range(8)]
    return cw.CART(min_leaf=1).learn(cw.encode(rows, Schema((Numeric(name),), Nominal("c", ("p", "q")))))


@pytest.mark.parametrize(("dialect", "name", "because"), NAMES_REFUSED)
def test_a_name_that_the_database_cannot_hold_is_refused(dialect: str, name: str, because: str) -> None:
    for form in ("select", "expression"):
        with pytest.raises(SettingError, match=f"{because}.*Rename it and learn again"):
            cw.export(tree_that_asks(name), "sql", dialect=dialect, form=form)
    with pytest.raises(SettingError, match=f"keep: .*{because}"):
        cw.export(tree_that_asks("x"), "sql", dialect=dialect, keep=[name])
    with pytest.raises(SettingError, match=r"The source .*Name a table|blanks at the end"):
        cw.export(tree_that_asks("x"), "sql", dialect=dialect, source=name)


@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_a_name_that_just_fits_is_written(dialect: str) -> None:
    most = DIALECTS[dialect].name_rules.most or 1000
    assert "a" * most in cw.export(tree_that_asks("a" * most), "sql", dialect=dialect, source="t" * most).text
    assert cw.prove(cw.export(tree_that_asks("a" * 1000), "sql", dialect="sqlite"), most=10).passed


def test_shares_of_classes_with_odd_names_have_names_that_mysql_takes() -> None:
    rows = [{"x": float(k), "c": ["😀", "no "][k > 3]} for k in range(8)]
    schema = Schema((Numeric("x"),), Nominal("c", ("😀", "no ")))
    text = cw.export(cw.CART(min_leaf=1).learn(cw.encode(rows, schema)), "sql", dialect="mysql").text
    assert "`share__`" in text
    assert "`share_no`" in text


def test_an_output_that_was_chosen_and_is_not_there_is_refused() -> None:
    with pytest.raises(SettingError, match=r"has no points\. It has prediction, shares, region, reason\."):
        export(tree_that_asks("x"), "sql", outputs="points,prediction")
    with pytest.raises(SettingError, match="has no reason"):
        export(learners()["logistic"].learn(made_table()), "sql", outputs=["prediction", "reason"])
    assert "points" not in body(export(tree_that_asks("x"), "sql").text)
