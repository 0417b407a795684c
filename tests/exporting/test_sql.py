"""A model as SQL gives every row what the model does, in the databases that are here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.exporting import RUNNERS
from clearwood.exporting.exported import Exported
from clearwood.exporting.exporting import export
from clearwood.exporting.proof.proving import expected_answers
from clearwood.exporting.running.databases import run_transpiled, spark_is_here
from clearwood.exporting.running.runner import NotRun, Ran
from clearwood.exporting.running.servers import (
    mariadb_is_here,
    mariadb_server,
    postgres_server,
    run_in_mariadb,
    run_in_server,
)
from clearwood.models.model import Model
from tests import trees
from tests.exporting.models_to_export import Row, learners, made_table, near, rows_of
from tests.exporting.test_program import DECISIONS, ROWS
from tests.rules_of_every_kind import rule_lists
from tests.rules_of_every_kind import tables as tables_for_rules

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")

FAR: list[Row] = [
    {"age": age, "colour of eyes": "red ", 'in "come"': income, "size": "s", "n": 5e-324}
    for age, income in [(1e300, 10.0), (-1e300, 1e160), (-0.0, 5e-324), (1.7976931348623157e308, -3.0)]
]
FAR.append({**FAR[0], "age": -1.7976931348623157e308, "n": 1e200})
HERE = ("duckdb", "sqlite")
ELSEWHERE = ("bigquery", "snowflake", "mssql", "mysql", "spark")
SOURCES = (
    "select",
    "Order",
    "sales.orders",
    "sales.the customers",
    'say "hi"',
    "größe",
    "1st.x]y",
    "it's.`a`",
)
SOME = ("c45", "cart", "ila", "cn2 votes", "bayes", "logistic", "forest", "gam")

Run = Callable[[Exported, Sequence[Row]], Ran | NotRun]


@cache
def model_of(name: str) -> Model:
    model: Model = learners()[name].learn(made_table())
    return model


def check(model: Model, rows: list[Row], exported: Exported, run: Run | None = None) -> None:
    ran = (run or RUNNERS[exported.target].run)(exported, rows)
    assert isinstance(ran, Ran), ran
    assert len(ran.answers) == len(rows)
    answers = cw.predict(model, rows)
    for given_answer, answer in zip(ran.answers, answers, strict=True):
        if model.is_numeric:
            nothing = given_answer is None
            assert np.isnan(answer) if nothing else near(float(given_answer), float(answer))  # type: ignore[arg-type]
        else:
            assert given_answer == answer
    if ran.reasons is not None:
        expected = expected_answers(model, rows).reasons
        for reason, given_reason in zip(expected or (), ran.reasons if expected else (), strict=True):
            assert reason.allows(given_reason), (reason, given_reason)
    if ran.shares is not None:
        for given_shares, shares in zip(ran.shares, cw.shares(model, rows), strict=True):
            assert all(near(one, other) for one, other in zip(given_shares, shares, strict=True))


@pytest.mark.parametrize("name", list(learners()))
def test_every_kind_of_model_answers_alike_in_sqlite_and_duckdb(name: str) -> None:
    for dialect in HERE:
        check(model_of(name), [*ROWS, *FAR], export(model_of(name), "sql", dialect=dialect))


@pytest.mark.parametrize("decision", list(DECISIONS))
def test_a_decision_goes_along(decision: str) -> None:
    for name in SOME[:-1]:
        model = replace(model_of(name), decision=DECISIONS[decision])
        check(model, ROWS, export(model, "sql", dialect="sqlite"))
    model = replace(model_of("cart"), decision=DECISIONS[decision])
    check(model, ROWS, export(model, "sql", form="expression"))


@pytest.mark.parametrize("learner", [cw.CART(), cw.Forest(trees=4, seed=1), cw.Boosting(trees=5)])
def test_numbers_are_answered_as_well(learner: cw.CART) -> None:
    model = learner.learn(made_table(numeric=True))
    for dialect in HERE:
        check(model, [*ROWS, *FAR], export(model, "sql", dialect=dialect))


@pytest.mark.parametrize("name", ["cart", "cart in full", "chaid", "ila", "cn2", "ripper", "logistic"])
def test_one_expression_answers_alike(name: str) -> None:
    for dialect in HERE:
        exported = export(model_of(name), "sql", dialect=dialect, form="expression")
        check(model_of(name), [*ROWS, *FAR], exported)


@pytest.mark.parametrize("dialect", ELSEWHERE)
def test_other_dialects_answer_alike_once_they_are_rewritten(dialect: str) -> None:
    pytest.importorskip("sqlglot")
    for name in ("c45", "cart", "cn2 votes", "logistic"):
        exported = export(model_of(name), "sql", dialect=dialect)
        check(model_of(name), [*ROWS, *FAR], exported)
        ran = RUNNERS[dialect].run(exported, ROWS[:1])
        assert isinstance(ran, Ran)
        assert ran.instead.startswith("DuckDB")
    exported = export(model_of("cart"), "sql", dialect=dialect, form="expression")
    check(model_of("cart"), [*ROWS, *FAR], exported)


@given(st.data())
@settings(max_examples=40)
def test_any_tree(data: st.DataObject) -> None:
    tree = data.draw(trees.trees())
    rows = rows_of(data.draw(trees.tables(tree.schema, rows=12)))
    if rows:
        check(tree, rows, export(tree, "sql", dialect="sqlite"))


@given(rule_lists(), st.data())
@settings(max_examples=40)
def test_any_rules(rules: cw.RuleList, data: st.DataObject) -> None:
    rows = rows_of(data.draw(tables_for_rules(max_rows=12)))
    if rows:
        check(rules, rows, export(rules, "sql", dialect="sqlite"))


@dataclass(frozen=True)
class Server:
    """A server that was started for these tests, and the dialect that it speaks."""

    dialect: str
    run: Run


@pytest.fixture(scope="module", params=["postgres", "mysql"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with ExitStack() as until_the_end:
        if request.param == "postgres":
            postgres = until_the_end.enter_context(postgres_server())
            run = postgres if isinstance(postgres, NotRun) else partial(run_in_server, postgres)
        else:
            mariadb = until_the_end.enter_context(mariadb_server())
            run = mariadb if isinstance(mariadb, NotRun) else partial(run_in_mariadb, mariadb)
        if isinstance(run, NotRun):
            pytest.skip(run.because)
        yield Server(request.param, run)


@pytest.mark.prove
@pytest.mark.parametrize("name", list(learners()))
def test_every_kind_of_model_answers_alike_in_a_server(name: str, server: Server) -> None:
    exported = export(model_of(name), "sql", dialect=server.dialect)
    check(model_of(name), [*ROWS, *FAR], exported, server.run)


@pytest.mark.prove
@pytest.mark.parametrize("decision", list(DECISIONS))
def test_a_decision_goes_along_to_a_server(decision: str, server: Server) -> None:
    for name in SOME if server.dialect == "postgres" else ("c45", "cart", "bayes", "logistic"):
        model = replace(model_of(name), decision=DECISIONS[decision])
        check(model, ROWS, export(model, "sql", dialect=server.dialect), server.run)


@pytest.mark.prove
@pytest.mark.parametrize("name", ["cart in full", "chaid", "ila", "ripper", "logistic"])
def test_one_expression_answers_alike_in_a_server(name: str, server: Server) -> None:
    exported = export(model_of(name), "sql", dialect=server.dialect, form="expression")
    check(model_of(name), [*ROWS, *FAR], exported, server.run)


@pytest.mark.prove
@pytest.mark.parametrize("source", SOURCES)
def test_any_name_of_a_table_is_quoted_in_servers_too(source: str, server: Server) -> None:
    exported = export(model_of("cart"), "sql", dialect=server.dialect, source=source)
    check(model_of("cart"), ROWS, exported, server.run)


@pytest.mark.prove
def test_any_tree_in_a_server(server: Server) -> None:
    @given(st.data())
    @settings(max_examples=60)
    def one(data: st.DataObject) -> None:
        tree = data.draw(trees.trees())
        rows = rows_of(data.draw(trees.tables(tree.schema, rows=12)))
        if rows:
            check(tree, rows, export(tree, "sql", dialect=server.dialect), server.run)

    one()


@pytest.mark.prove
def test_postgresql_starts_answers_and_stops_by_itself() -> None:
    ran = RUNNERS["postgres"].run(export(model_of("cart"), "sql", dialect="postgres"), ROWS[:3])
    if isinstance(ran, NotRun):
        pytest.skip(ran.because)
    assert list(ran.versions) == ["PostgreSQL"]


@pytest.mark.prove
def test_mariadb_is_not_taken_for_mysql() -> None:
    if not mariadb_is_here():
        pytest.skip("MariaDB is not installed.")
    proof = cw.prove(cw.export(model_of("cart"), "sql", dialect="mysql", source="sales.order"), most=60)
    assert (proof.status, list(proof.certificate.versions)) == ("not run", ["MariaDB"])
    assert proof.because == "mysql itself was not run; alike in MariaDB, which is not MySQL."


@pytest.mark.prove
def test_spark_is_run_where_it_is_installed() -> None:
    if not spark_is_here():
        pytest.skip("pyspark is not installed.")
    proof = cw.prove(cw.export(model_of("c45"), "sql", dialect="spark"), most=200)
    assert (proof.status, list(proof.certificate.versions)) == ("passed", ["Spark"]), str(proof)


@pytest.mark.prove
@pytest.mark.parametrize("dialect", ["duckdb", *ELSEWHERE])
@pytest.mark.parametrize("name", list(learners()))
def test_every_pair_of_model_and_dialect(name: str, dialect: str) -> None:
    pytest.importorskip("sqlglot")
    run = RUNNERS["duckdb"].run if dialect == "duckdb" else run_transpiled
    check(model_of(name), [*ROWS, *FAR], export(model_of(name), "sql", dialect=dialect), run)


def test_the_certificate_of_a_database_that_is_not_here_says_so() -> None:
    pytest.importorskip("sqlglot")
    proof = cw.prove(cw.export(model_of("cart"), "sql", dialect="spark"), most=60)
    assert proof.status == "not run"
    assert not proof.different
    assert proof.because == "spark itself was not run; alike in DuckDB, with the text rewritten by sqlglot."
    assert set(proof.certificate.versions) == {"sqlglot", "DuckDB"}
