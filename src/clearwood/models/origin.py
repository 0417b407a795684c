"""Where a model came from: learner, settings, version, a fingerprint of the rows, and what was done since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Final, assert_never

from clearwood.models import lineage
from clearwood.models.plain import LearnerAsData, Plain, frozen, thawed
from clearwood.records import dataclass
from clearwood.table.schema import WeightsAre

BY_HAND: Final = "by hand"  # the learner of a model that no learner made


@dataclass(frozen=True, slots=True)
class Origin:
    """How a model was made, with a fingerprint that shows whether another table is the one it was made from.

    The settings are a view that cannot be changed, nor can the dict it was made from change them. `after`
    has everything done to the model since it was learned, in order. `weights_are` is what the rows' weights
    meant, None where there were none.

    >>> Origin("ID3", {"min_rows": 2}).settings["min_rows"]
    2
    """

    learner: str
    settings: Mapping[str, Plain] = field(default_factory=dict)
    version: str = ""
    fingerprint: str = ""
    rows: int = 0
    after: tuple[lineage.Done, ...] = ()
    weights_are: WeightsAre | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", frozen(self.settings))

    def __reduce__(self) -> tuple[object, ...]:
        # A view cannot be pickled or copied: what it shows can.
        settings = thawed(self.settings)
        rest = (self.version, self.fingerprint, self.rows, self.after, self.weights_are)
        return Origin, (self.learner, settings, *rest)

    @property
    def made(self) -> LearnerAsData:
        """The learner with its settings, as data."""
        return LearnerAsData(self.learner, self.settings)

    @property
    def directed(self) -> bool:
        """Was it, or its members, learned within directions (`monotone`)?"""
        of = self.settings.get("of")
        members = of.settings.get("monotone") if isinstance(of, LearnerAsData) else None
        return bool(self.settings.get("monotone") or members)

    @property
    def title(self) -> str:
        """How the model was made, in a few words.

        >>> Origin("C45", after=(lineage.ReadAsRules(), lineage.Edited("delete", (2,)))).title
        'rules of C45, edited by hand'
        """
        title = self.learner
        for i, done in enumerate(self.after):
            title = _after(title, done, replace(self, after=self.after[:i]))
        return title

    def then(self, *done: lineage.Done) -> Origin:
        """The origin with one entry more in its lineage."""
        return replace(self, after=(*self.after, *done))


def _after(title: str, done: lineage.Done, before: Origin) -> str:
    match done:
        case lineage.Pruned():
            return title if isinstance(_last_named(before), lineage.Pruned) else f"{title}, pruned"
        case lineage.ReadAsRules():
            return f"rules of {title}"
        case lineage.Simplified():
            return title if isinstance(_last_named(before), lineage.Simplified) else f"{title}, simplified"
        case lineage.Edited(edit):
            return title if edit == "recount" or _by_hand(before) else f"{title}, edited {BY_HAND}"
        case lineage.CurveEdited():
            return title if _by_hand(before) else f"{title}, edited {BY_HAND}"
        case lineage.Joined(other):
            return title if title == other.title else f"{title}, then {other.title}"
        case lineage.Distilled(of):
            return f"{title}, distilled from {of.title}"
        case lineage.AsWeights():
            return f"weights of {title}"
        case lineage.EndedEarly(because="interrupted"):
            return f"{title}, interrupted"
        case (
            lineage.Selected() | lineage.Balanced() | lineage.Tuned() | lineage.Chosen() | lineage.Imported()
        ):
            return title
        case lineage.EndedEarly() | lineage.LearnedMore() | lineage.Calibrated() | lineage.Decided():
            return title
        case _:
            assert_never(done)


def _last_named(origin: Origin) -> lineage.Done | None:
    """The last thing done that the title names: the same again would be said twice."""
    silent = (
        lineage.Selected,
        lineage.Balanced,
        lineage.Tuned,
        lineage.Chosen,
        lineage.Imported,
        lineage.EndedEarly,
        lineage.LearnedMore,
        lineage.Calibrated,
        lineage.Decided,
    )
    named = (
        done
        for done in reversed(origin.after)
        if not isinstance(done, silent) and not (isinstance(done, lineage.Edited) and done.edit == "recount")
    )
    return next(named, None)


def _by_hand(origin: Origin) -> bool:
    """Was the model, or one that it was joined with, written or edited by a person?"""
    return origin.learner == BY_HAND or any(
        isinstance(done, lineage.CurveEdited)
        or (isinstance(done, lineage.Edited) and done.edit != "recount")
        or (isinstance(done, lineage.Joined) and _by_hand(done.other))
        for done in origin.after
    )
