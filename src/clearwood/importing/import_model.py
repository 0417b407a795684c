"""import_model: what another program made, as a model of ours that answers alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from clearwood.errors import ModelFileError, SettingError, SourceError
from clearwood.importing import IMPORTERS
from clearwood.importing.given import GivenNames
from clearwood.importing.importer import Content, Importer
from clearwood.models.model import Model

_MOST_BYTES: Final = 512 << 20
_PICKLES: Final = (b"\x80", b"PK\x03\x04", b"\x1f\x8b", b"x\x9c")


def import_model(
    source: Any,
    *,
    columns: Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
    target: str | None = None,
    values: Mapping[str, Sequence[str]] | None = None,
) -> Model:
    """The model of another program as one of ours, which answers every row alike.

    `source` is a fitted estimator or pipeline of scikit-learn, a booster of LightGBM or XGBoost, or a file:
    PMML, LightGBM's text or JSON, XGBoost's JSON or UBJSON. Files are read as data, and nothing in them is
    run. `columns`, `classes` and `target` are names where the origin has none; `values` names a column's
    values where the origin sees 0, 1, 2, …. What cannot be said alike is refused.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> model = import_model(DecisionTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]), columns=["hours"])
    >>> model
    <Tree scikit-learn DecisionTreeClassifier: 2 leaves, 3 nodes, depth 1>
    """
    given = GivenNames(
        columns=_names(columns, "columns"),
        classes=_names(classes, "classes"),
        target=target,
        values={name: _names(each, "values") or () for name, each in (values or {}).items()},
    )
    asked = content_of(source) if isinstance(source, str | Path) else source
    return importer_of(asked).read(asked, given)


def content_of(source: str | Path) -> Content:
    """The bytes of a model file, unless there are too many."""
    place = Path(source)
    try:
        size = place.stat().st_size
        if size > _MOST_BYTES:
            raise ModelFileError(f"{place}: more than {_MOST_BYTES >> 20} MB; that is too big for a model.")
        return Content(place.read_bytes(), str(place))
    except OSError as error:
        raise SourceError(f"Cannot read {place}: {error.strerror}.") from None


def importer_of(asked: Any) -> Importer:
    """Who can read this."""
    for importer in IMPORTERS.values():
        if importer.knows(asked):
            return importer
    if isinstance(asked, Content):
        raise ModelFileError(f"{asked.where}: {_unknown(asked)}")
    kinds = "; ".join(importer.about for importer in IMPORTERS.values())
    raise SettingError(
        f"An object of the class {type(asked).__name__} cannot be imported. What can: {kinds}."
    )


def _unknown(content: Content) -> str:
    if content.data.startswith(_PICKLES):
        return (
            "this looks like a pickle, or is packed. To read a pickle is to run it, which is not done "
            "here: load it in Python, if you trust it, and give the estimator to import_model."
        )
    if content.data.startswith(b"{") and b"clearwood" in content.start:
        return "this is a model of Clearwood already. Load it."
    if content.data.startswith(b"binf"):
        return "this is XGBoost's old binary form. Save the model again: booster.save_model('model.ubj')."
    return (
        "not a model file that is known here. Those are PMML, LightGBM's text or JSON, and XGBoost's JSON "
        "or UBJSON."
    )


def _names(given: Sequence[str] | None, what: str) -> tuple[str, ...] | None:
    if given is None:
        return None
    if isinstance(given, str):
        raise SettingError(f"{what} must be a list of names, not one text.")
    names = tuple(map(str, given))
    if len(set(names)) != len(names):
        raise SettingError(f"{what} names {next(each for each in names if names.count(each) > 1)!r} twice.")
    return names
