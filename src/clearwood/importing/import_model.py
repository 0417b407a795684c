"""import_model: what another program made, as a model of ours that answers alike."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from clearwood.errors import ModelFileError, SettingError, SourceError
from clearwood.importing import IMPORTERS, importable_files, importable_objects
from clearwood.importing.given import given_names
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

    `source` is a fitted model in memory, or the file of one, of a program in `clearwood.catalogue.IMPORTERS`.
    Files are read as data, and nothing in them is run. `columns`, `classes` and `target` are names where the
    origin has none; `values` names a column's values where the origin sees 0, 1, 2, …. What cannot be said
    alike is refused.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> model = import_model(DecisionTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]), columns=["hours"])
    >>> model
    <Tree scikit-learn DecisionTreeClassifier: 2 leaves, 3 nodes, depth 1>
    """
    asked = source_of(source)
    return importer_of(asked).read(asked, given_names(columns, classes, target, values))


def source_of(source: Any) -> Any:
    """What importers are asked about: the bytes of a file, unless there are too many, or the object."""
    if not isinstance(source, str | Path):
        return source
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
    for entry in IMPORTERS.values():
        if (importer := entry.load()).knows(asked):
            return importer
    if isinstance(asked, Content):
        raise ModelFileError(f"{asked.where}: {_unknown(asked)}")
    raise SettingError(
        f"An object of the class {type(asked).__name__} cannot be imported. What can: "
        f"{importable_objects()}, or the name of a file: {importable_files()}."
    )


def _unknown(content: Content) -> str:
    if not content.data.strip():
        return "the file is empty. Save the model again."
    if content.data.startswith(_PICKLES):
        return (
            "this looks like a pickle, or is packed. To read a pickle is to run it, which is not done "
            "here: load it in Python, if you trust it, and give the estimator to import_model."
        )
    if content.data.startswith(b"{") and b"clearwood" in content.start:
        return "this is a model of Clearwood already. Load it."
    return f"not a model file that is known here. Save the model as one of these: {importable_files()}."
