"""A learner as the list of its family has it: where it lives, a line about it, and what it makes."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from clearwood.records import dataclass
from clearwood.registry import imported


def chooses_nothing(_: Mapping[str, Any]) -> tuple[str, ...]:
    """All that the training rows make is the model itself."""
    return ()


@dataclass(frozen=True, slots=True)
class LearnerEntry:
    """`home` is "module:class", imported when needed, or the class; `presets` are what its name implies.

    `steps` ("module:name") works out a derivation's steps; without it a derivation refuses. `compared_by` are
    the figures of those steps by which attributes are compared, the one that decides last; `compare_trees`
    takes learners that have some, and by default those with a name to be `compared_as`. `from_tree`: rules
    that come of a tree instead of a search; `by_members`: many members, learned one after another, of which
    those so far can be kept (`clearwood.learners.progress`); `pure_rules`: each class is covered by rules
    without errors, whatever its rows weigh. `chooses` says what the training rows choose beside the model
    under these settings, as a score on them has to mention.
    """

    home: str | type[Any]
    about: str
    makes: str  # the name of its kind of model in `KINDS`
    presets: Mapping[str, Any] = field(default_factory=dict)
    steps: str = ""
    compared_by: tuple[str, ...] = ()
    compared_as: str = ""
    from_tree: bool = False
    by_members: bool = False
    pure_rules: bool = False
    chooses: Callable[[Mapping[str, Any]], tuple[str, ...]] = chooses_nothing

    @property
    def name(self) -> str:
        """The class's name, by which a model's origin knows it."""
        return self.home.rpartition(":")[2] if isinstance(self.home, str) else self.home.__name__

    def load(self) -> Any:
        """The class, imported now."""
        return imported(self.home) if isinstance(self.home, str) else self.home

    def make(self, **settings: Any) -> Any:
        """The learner: the presets, and the settings given."""
        return self.load()(**{**self.presets, **settings})


def family_entry(
    family: str, makes: str, worker: str, home: str, about: str, *, steps: str = "", **more: Any
) -> LearnerEntry:
    """A learner by its "module:class" in its family's folder. Its steps are those of the `worker` in
    deriving's module of the same name, unless `steps` names another "module:function" there."""
    if steps or worker:
        steps = f"clearwood.deriving.{family}.{steps or home.partition(':')[0] + ':' + worker}"
    return LearnerEntry(f"clearwood.learners.{family}.{home}", about, makes, steps=steps, **more)
