"""The models that are served, by name and version; read anew from their files without a request waiting.

A name answers by its newest version. The one before stays until the next, for clients that ask for it by its
fingerprint. A file that cannot be read changes nothing: the model that was there goes on answering.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final, TypeAlias

from clearwood.editing.reading import load_model_or_rules
from clearwood.errors import ClearwoodError, SettingError, no_such
from clearwood.models.model import Model
from clearwood.serving.exchange import RefusalError
from clearwood.serving.served import ServedModel, served
from clearwood.table.describe import listed as excerpts

WatchedFile: TypeAlias = tuple[str, Path]
_Stamp: TypeAlias = tuple[int, int, int]  # when it was written, its size and inode: who a file has changed by
ModelFile: TypeAlias = str | os.PathLike[str]
Served: TypeAlias = ModelFile | Sequence[ModelFile] | Mapping[str, Model | ModelFile]

_SUFFIXES: Final = (".gz", ".json", ".txt", ".rules")


@dataclass(frozen=True, slots=True)
class Reloaded:
    """What became of a file when it was looked at again: another version, the same, or an error."""

    name: str
    version: str
    changed: bool
    error: str = ""


@dataclass(slots=True, eq=False)
class Shelf:
    """Versions by name, the newest first. A reader sees a change whole: lists are replaced, never changed."""

    versions: dict[str, tuple[ServedModel, ...]] = field(default_factory=dict)
    _stamps: dict[WatchedFile, _Stamp | None] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.versions)

    def newest(self) -> list[ServedModel]:
        """The model that answers for each name."""
        return [versions[0] for versions in self.versions.values()]

    def find(self, name: str | None, version: str | None) -> ServedModel:
        """The model of a name, which need not be given if there is one alone, and of a version if given."""
        if name is None:
            if version is None and len(self.versions) > 1:
                listed = ", ".join(self.versions)
                raise RefusalError(f"Which model? Name one: ?model=NAME. Models: {listed}.", because="model")
            known = [each for versions in self.versions.values() for each in versions]
        else:
            if name not in self.versions:
                raise RefusalError(no_such("model", name[:80], self.versions), status=404, because="model")
            known = list(self.versions[name])
        if version is None:
            return known[0]
        for each in known:
            if each.version == version:
                return each
        listed = ", ".join(f"{each.name} {each.version}" for each in known)
        raise RefusalError(f"No version '{version[:80]}'. Versions: {listed}.", because="version")

    def add(self, model: ServedModel) -> None:
        """A model, as the newest of its name."""
        with self._lock:
            known = self.versions.get(model.name, ())
            self.versions = {**self.versions, model.name: (model, *known)}

    def add_file(self, name: str, path: Path) -> None:
        """The model in a file, as the newest of its name."""
        stamp = _stamp(path)
        self.add(served(load_model_or_rules(path), name, path))
        self._stamps[name, path] = stamp

    def changed_files(self) -> list[WatchedFile]:
        """The files that are not as they were when they were last read."""
        return [file for file, stamp in self._stamps.items() if _stamp(file[1]) != stamp]

    def reload(self, files: Sequence[WatchedFile] | None = None) -> list[Reloaded]:
        """Read these files again, or all of them; requests under way keep the model that they have."""
        return [self._again(*file) for file in (list(self._stamps) if files is None else files)]

    def _again(self, name: str, path: Path) -> Reloaded:
        # Looked at before it is read: a file that changes meanwhile is read once more.
        self._stamps[name, path] = _stamp(path)
        try:
            model = served(load_model_or_rules(path), name, path)
        except (ClearwoodError, OSError) as error:
            return Reloaded(name, "", changed=False, error=str(error))
        with self._lock:
            versions = self.versions[name]
            own = [each for each in versions if each.source == path]
            if other := _of_another_target(own[0], model):
                return Reloaded(name, "", changed=False, error=other)
            if own[0].version == model.version:
                return Reloaded(name, model.version, changed=False)
            others = [each for each in versions if each.source != path]
            at_front = versions[0].source == path
            kept = [model, own[0]]
            self.versions = {**self.versions, name: tuple([*kept, *others] if at_front else [*others, *kept])}
        return Reloaded(name, model.version, changed=True)


def shelf_of(models: Served) -> Shelf:
    """A shelf of models by name, or of files, which are read anew when they change."""
    if isinstance(models, str | os.PathLike):
        models = [models]
    named_ones = (
        models.items() if isinstance(models, Mapping) else [name_and_file(os.fspath(each)) for each in models]
    )
    shelf = Shelf()
    for name, each in named_ones:
        _check_name(name)
        if isinstance(each, str | os.PathLike):
            shelf.add_file(name, Path(each))
        else:
            shelf.add(served(each, name))
    if not shelf.versions:
        raise SettingError("There is no model to serve. Name a model file, as saved by fit.")
    return shelf


def name_and_file(text: str) -> tuple[str, str]:
    """The name and the path in NAME=FILE; a file alone is named by itself.

    >>> name_and_file("models/credit.json.gz"), name_and_file("risk=a.json")
    (('credit', 'models/credit.json.gz'), ('risk', 'a.json'))
    """
    name, equals, path = text.partition("=")
    if equals and name and path and not Path(text).exists():
        return name, path
    stem = Path(text).name
    for suffix in _SUFFIXES:
        stem = stem.removesuffix(suffix)
    return stem or Path(text).name, text


def _of_another_target(before: ServedModel, after: ServedModel) -> str:
    """The sentence on a file whose model answers another question than its clients ask; empty where it does
    not."""
    old, new = before.model.schema.target, after.model.schema.target
    same_name = (old and old.name) == (new and new.name)
    classes = before.model.schema.classes, after.model.schema.classes
    if same_name and (bool(set(classes[0]) & set(classes[1])) or not any(classes)):
        return ""
    was, now = (
        f"{target.name if target else 'nothing'} ({excerpts(names) if names else 'a number'})"
        for target, names in zip((old, new), classes, strict=True)
    )
    return (
        f"'{before.name}' predicts {was}, and the model that is now in {after.source} predicts {now}: "
        "the one before goes on. If the other is to be served, give it a name of its own (NAME=FILE), or "
        "start the server again."
    )


def _check_name(name: str) -> None:
    if not name or "/" in name or name in (".", "..") or not name.isprintable() or len(name) > 80:
        raise SettingError(
            f"'{name[:80]}' cannot name a model: up to 80 printable characters without a slash. "
            "Name it otherwise: NAME=FILE."
        )


def _stamp(path: Path) -> _Stamp | None:
    """None where there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
