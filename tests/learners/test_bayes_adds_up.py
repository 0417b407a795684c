"""Models of parts add up to the model of the whole, exactly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.errors import LearningError, SchemaError
from clearwood.learners.bayes.merging import merged
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Categorical, Gaussian, exact
from clearwood.models.lineage import Origin
from clearwood.predicting import shares as bayes_shares
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.encoding import learn_table
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.learners.bayes_tables import LEARNERS, many, tables_for
from tests.typed import mistyped


def bare(model: BayesTables) -> BayesTables:
    return replace(model, origin=Origin("somewhere"))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in LEARNERS if name != "cuts"])
@many
@given(data=st.data())
def test_two_models_of_disjoint_rows_add_to_the_model_of_all_rows(name: str, data: st.DataObject) -> None:
    learner, table = LEARNERS[name], data.draw(tables_for(name))
    part = np.random.default_rng(data.draw(st.integers(0, 999))).random(len(table)) < 0.5
    heavy = np.ones(len(table), dtype=bool) if table.weights is None else table.weights > 0
    if not (heavy & part).any() or not (heavy & ~part).any():
        return
    one, other = learner.learn(table.take(part)), learner.learn(table.take(~part))
    whole = learner.learn(table)
    assert bare(merged(one, other)) == bare(merged(other, one)) == bare(whole)
    assert bare(learner.learn_more(one, table.take(~part))) == bare(whole)
    assert merged(one, other).origin.rows == len(table)


@many
@given(data=st.data())
def test_more_rows_fall_between_the_cuts_that_were_made(data: st.DataObject) -> None:
    learner, table = LEARNERS["cuts"], data.draw(tables_for("cuts"))
    once = learner.learn(table)
    assert bare(learner.learn_more(once, table)) == bare(merged(once, once))


def tennis(outlook: list[str], play: list[str], humidity: list[float]) -> Table:
    """Each value and class in the order it comes."""
    values, classes = tuple(dict.fromkeys(outlook)), tuple(dict.fromkeys(play))
    schema = Schema((Nominal("Outlook", values), Numeric("Humidity")), Nominal("Play", classes))
    return Table(
        schema,
        {
            "Outlook": np.array([values.index(each) for each in outlook], dtype=np.int32),
            "Humidity": np.array(humidity),
            "Play": np.array([classes.index(each) for each in play], dtype=np.int32),
        },
    )


def test_new_values_and_classes_join_the_schema() -> None:
    outlook = ["Sunny", "Rain", "Rain", "Fog", "Sunny"]
    play = ["No", "Yes", "Yes", "Perhaps", "No"]
    humidity = [70.0, 80.5, 90.1, 60.0, np.nan]
    early = tennis(outlook[:2], play[:2], humidity[:2])
    late = tennis(outlook[2:], play[2:], humidity[2:])
    whole = tennis(outlook, play, humidity)
    learner = NaiveBayes()
    grown = learner.learn_more(learner.learn(early), late)
    assert grown.schema == whole.schema
    assert bare(grown) == bare(learner.learn(whole))


def test_decay_makes_what_was_learned_weigh_less() -> None:
    table = tennis(["Sunny", "Rain"], ["No", "Yes"], [70.0, 80.0])
    once = NaiveBayes().learn(table)
    later = NaiveBayes(decay=0.5).learn_more(once, table)
    assert later.classes == (exact(1.5), exact(1.5))
    assert later["Humidity"] == Gaussian("Humidity", (exact(1.5),) * 2, (105, 120), (7350, 9600))


def test_decay_for_ever_keeps_numbers_short_and_variances_above_zero() -> None:
    table = tennis(["Sunny", "Rain"], ["No", "Yes"], [0.1, 0.3])
    learner = NaiveBayes(decay=0.9)
    model = learner.learn(table)
    for _ in range(60):
        model = learner.learn_more(model, table)
    assert float(model.classes[0]) == pytest.approx(10, rel=0.01)
    assert len(str(model.classes[0])) < 200
    np.testing.assert_allclose(bayes_shares(model, table)[:, 0], [1, 0], atol=1e-9)


def test_models_that_are_not_alike_are_refused_by_column() -> None:
    table = tennis(["Sunny", "Rain"], ["No", "Yes"], [70.0, 80.0])
    model = NaiveBayes().learn(table)
    with pytest.raises(LearningError, match="Column 'Outlook' has another distribution, smoothing"):
        merged(model, NaiveBayes(smoothing=2).learn(table))
    with pytest.raises(LearningError, match="different priors"):
        merged(model, NaiveBayes(priors="equal").learn(table))
    as_number = replace(
        table,
        schema=table.schema.change("Outlook", "numeric"),
        columns={**table.columns, "Outlook": np.array([1.0, 2.0])},
    )
    with pytest.raises(SchemaError, match="'Outlook' is nominal in the model and numeric"):
        merged(model, NaiveBayes().learn(as_number))
    with pytest.raises(SchemaError, match=r"No column 'Humidity'"):
        merged(
            model,
            NaiveBayes().learn(
                replace(table, schema=Schema(table.schema.attributes[:1], table.schema.target))
            ),
        )
    with pytest.raises(LearningError, match="adds to a BayesTables, not to a str"):
        NaiveBayes().learn_more(mistyped("model"), table)


def test_given_priors_must_know_a_new_class() -> None:
    learner = NaiveBayes(priors={"No": 1, "Yes": 3})
    model = learner.learn(tennis(["Sunny", "Rain"], ["No", "Yes"], [70.0, 80.0]))
    with pytest.raises(LearningError, match="lack the new class 'Perhaps'"):
        learner.learn_more(model, tennis(["Sunny"], ["Perhaps"], [70.0]))
    again = learner.learn_more(model, tennis(["Sunny"], ["Yes"], [70.0]))
    assert again.priors == (0.25, 0.75)


def test_an_ordinal_column_cannot_grow() -> None:
    def sized(values: tuple[str, ...]) -> BayesTables:
        schema = Schema((Ordinal("size", values),), Nominal("y", ("a",)))
        return BayesTables(schema, (1,), (Categorical("size", ((1,) * len(values),)),))

    with pytest.raises(SchemaError, match="the place of its new value 'M' is not known"):
        merged(sized(("S", "L")), sized(("S", "M", "L")))


def test_given_priors_are_compared_by_class_in_both_directions() -> None:
    table = learn_table([["u"], ["v"], ["u"]], ["No", "Yes", "No"])
    flipped = learn_table([["u"], ["v"]], ["Yes", "No"])
    one = NaiveBayes(priors={"No": 1, "Yes": 3}).learn(table)
    assert merged(one, NaiveBayes(priors={"Yes": 0.6, "No": 0.2}).learn(flipped)).priors == (0.25, 0.75)
    for other in (NaiveBayes(priors={"No": 3, "Yes": 1}), NaiveBayes(), NaiveBayes(priors="equal")):
        for pair in ((one, other.learn(table)), (other.learn(table), one)):
            with pytest.raises(LearningError, match="different priors"):
                merged(*pair)


def test_more_rows_with_a_column_of_another_kind_or_without_it_are_refused_by_name() -> None:
    model = NaiveBayes().learn(learn_table({"a": ["u", "v"], "b": [1.0, 2.0]}, ["No", "Yes"]))
    for columns in ({"a": [1.0, 2.0], "b": [1.0, 2.0]}, {"a": ["u", "v"], "b": ["x", "y"]}):
        with pytest.raises(SchemaError, match=r"Column '[ab]' is (nominal|numeric) in the model and"):
            NaiveBayes().learn_more(model, learn_table(columns, ["No", "Yes"]))
    with pytest.raises(SchemaError, match="No column 'b'"):
        NaiveBayes().learn_more(model, learn_table({"a": ["u", "v"]}, ["No", "Yes"]))
