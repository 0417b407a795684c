"""Several models, versions by fingerprint, and files that are read anew without a request being lost."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.models.files.storing import model_fingerprint
from clearwood.serving.service import Service
from clearwood.serving.shelf import name_and_file, shelf_of
from clearwood.table.schema_file import save_schema
from tests.serving.conftest import ROW, TABLE, TREE, asked, looked, read

STUMP = cw.ID3(max_depth=0).learn(TABLE.take(TABLE.columns["Humidity"] > 0))
OTHER = cw.NaiveBayes().learn(TABLE)


def test_a_version_is_that_of_the_model_whatever_its_file_is_called(tmp_path: Path) -> None:
    plain, packed = cw.save(TREE, tmp_path / "a.json"), cw.save(TREE, tmp_path / "b.json.gz")
    shelf = shelf_of([plain, packed])
    assert {each.version for each in shelf.newest()} == {model_fingerprint(TREE)}
    assert shelf.names == ("a", "b")
    assert model_fingerprint(OTHER) != model_fingerprint(TREE)


def test_among_several_models_a_request_names_one() -> None:
    service = Service(shelf_of({"tree": TREE, "bayes": OTHER}))
    unnamed = asked(service, "/predict")
    assert (unnamed.status, read(unnamed)["error"]) == (
        400,
        "Which model? Name one: ?model=NAME. Models: tree, bayes.",
    )
    for path in (
        "/predict?model=bayes",
        "/models/bayes/predict",
        f"/predict?version={model_fingerprint(OTHER)}",
    ):
        given = read(asked(service, path))
        assert (given["model"], given["version"]) == ("bayes", model_fingerprint(OTHER))
    wrong = asked(service, "/predict?model=bays")
    assert wrong.status == 404
    assert "Did you mean 'bayes'?" in read(wrong)["error"]
    listed = read(looked(service, "/models"))["models"]
    assert [each["name"] for each in listed] == ["tree", "bayes"]
    assert list(listed[0]["columns"]) == ["Outlook", "Humidity", "Wind"]
    assert read(looked(service, "/models/bayes"))["target"] == "Play"


def test_files_of_one_name_are_versions_of_one_model(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    old, new = cw.save(OTHER, tmp_path / "old" / "m.json"), cw.save(TREE, tmp_path / "m.json")
    service = Service(shelf_of([old, new]))
    assert read(asked(service, "/predict"))["version"] == model_fingerprint(TREE)
    assert read(asked(service, f"/predict?version={model_fingerprint(OTHER)}"))[
        "version"
    ] == model_fingerprint(OTHER)
    wrong = asked(service, "/predict?version=0")
    assert wrong.status == 404
    assert model_fingerprint(OTHER) in read(wrong)["error"]


def test_a_file_that_changes_is_read_anew_and_the_version_before_stays(model_file: Path) -> None:
    service = Service(shelf_of([model_file]))
    assert service.reload(changed_only=True) == []
    cw.save(OTHER, model_file)
    (outcome,) = service.reload(changed_only=True)
    assert (outcome.changed, outcome.version) == (True, model_fingerprint(OTHER))
    assert read(asked(service, "/predict"))["version"] == model_fingerprint(OTHER)
    assert read(asked(service, f"/predict?version={model_fingerprint(TREE)}"))[
        "version"
    ] == model_fingerprint(TREE)
    cw.save(STUMP, model_file)
    service.reload()
    assert (
        asked(service, f"/predict?version={model_fingerprint(TREE)}").status == 404
    )  # two are kept, not all
    assert service.reload()[0].changed is False


def test_a_file_under_two_names_is_read_anew_for_both(model_file: Path) -> None:
    service = Service(shelf_of([f"a={model_file}", f"b={model_file}"]))
    cw.save(OTHER, model_file)
    assert [each.name for each in service.reload(changed_only=True)] == ["a", "b"]
    assert {each.version for each in service.shelf.newest()} == {model_fingerprint(OTHER)}


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"format": "clearwood", "version": 99}'])
def test_a_file_that_cannot_be_read_changes_nothing(model_file: Path, content: bytes) -> None:
    service = Service(shelf_of([model_file]))
    model_file.write_bytes(content)
    (outcome,) = service.reload(changed_only=True)
    assert outcome.error
    assert read(asked(service, "/predict"))["version"] == model_fingerprint(TREE)
    assert service.reload(changed_only=True) == []  # it is not read again until it changes again
    model_file.unlink()
    assert service.reload(changed_only=True)[0].error
    assert asked(service, "/predict").status == 200
    cw.save(OTHER, model_file)
    assert service.reload(changed_only=True)[0].changed
    assert 'outcome="error"} 2' in service.metrics.text(service.shelf.newest())


def test_a_model_of_another_target_is_not_put_in_the_place_of_one_that_answers(model_file: Path) -> None:
    service = Service(shelf_of([model_file]))
    wind = cw.read_table(cw.datasets.path("tennis_numeric"), target="Wind")
    warmth = cw.read_table(cw.datasets.path("tennis_numeric"), target="Temperature")
    renamed = cw.read_table({"x": [1, 2, 3, 4] * 5, "Play": list("aabb") * 5}, target="Play")
    for other in (cw.ID3().learn(wind), cw.CART().learn(warmth), cw.C45().learn(renamed)):
        cw.save(other, model_file)
        (outcome,) = service.reload(changed_only=True)
        assert not outcome.changed
        assert outcome.error.startswith("'tennis' predicts Play (")
        assert "NAME=FILE" in outcome.error
        assert read(asked(service, "/predict"))["version"] == model_fingerprint(TREE)
    assert "tennis.json predicts Play (a, b)" in outcome.error
    cw.save(OTHER, model_file)
    assert service.reload(changed_only=True)[0].changed


def test_rules_as_text_are_served_too_and_have_no_shares(tmp_path: Path) -> None:
    schema = cw.Schema((cw.Nominal("Wind", ("Weak", "Strong")),), cw.Nominal("Play", ("No", "Yes")))
    save_schema(schema, tmp_path / "mine.schema.json")
    place = tmp_path / "mine.txt"
    place.write_text("IF Wind = Weak THEN Play = Yes\nOTHERWISE No\n")
    given = read(asked(Service(shelf_of([place])), "/predict", {"Wind": "Weak"}))
    assert (given["answer"], given["shares"], given["interval"]) == ("Yes", None, None)


def test_a_name_is_given_or_that_of_the_file(tmp_path: Path) -> None:
    odd = tmp_path / "a=b.json"
    odd.write_bytes(gzip.compress(b""))
    assert name_and_file(str(odd)) == ("a=b", str(odd))
    for wrong in ({"": TREE}, {"a/b": TREE}, {"..": TREE}, {"a\nb": TREE}, {"x" * 100: TREE}):
        with pytest.raises(SettingError, match="cannot name a model"):
            shelf_of(wrong)
    with pytest.raises(SettingError, match="no model to serve"):
        shelf_of([])


def test_a_model_that_asks_nothing_answers_every_row() -> None:
    service = Service(shelf_of({"stump": STUMP}))
    assert read(asked(service, "/predict", {}))["answer"] == "Play"
    assert [each["answer"] for each in read(asked(service, "/predict", [{}, ROW]))["answers"]] == ["Play"] * 2
    assert asked(service, "/explain", {}).status == 200
    assert looked(service, "/models/stump/form").status == 200
