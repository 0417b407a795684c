"""How a setting is declared, once, where it stands; it is checked, explained and offered from there.

    confidence: Annotated[float, Within(0, 1), "Smaller prunes more."] = 0.25

`OnlyWith("penalty")` beside the bound says that a setting has an effect only with another one.

A learner is a frozen dataclass of such fields that inherits `CheckedSettings`; a function with such
parameters is decorated with `checked`.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from functools import cache, wraps
from importlib import import_module
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    ParamSpec,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from clearwood.bounds import (
    LARGEST_COST,
    MOST,
    Bound,
    Checked,
    Within,
    at_least,
    boolean,
    choice,
    finite,
    whole,
)
from clearwood.errors import Advice, ClearwoodWarning, MissingExtraError, SettingError, no_such
from clearwood.records import dataclass

T = TypeVar("T")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Letter:
    """What the formulas of derivations call a setting."""

    sign: str


@dataclass(frozen=True, slots=True)
class OnlyWith:
    """A setting has an effect only if another one is `one_of` these; of none: anything but its default.

    Of several, one is enough. What is `harmless` without effect, such as a seed where nothing is drawn, is
    remarked on; anything else is refused. What is told `at_the_shell` alone may be given in Python, where
    programs try settings in all their combinations.
    """

    name: str
    one_of: tuple[Any, ...] = ()
    harmless: bool = False
    at_the_shell: bool = False

    def holds(self, made: object) -> bool:
        """Does it, with the settings of this learner?"""
        value = getattr(made, self.name)
        if self.one_of:
            return value in self.one_of
        kind: Callable[..., Any] = type(made)
        return bool(value != settings_of(kind)[self.name].default)

    @property
    def advice(self) -> Advice:
        return Advice(self.name, self.one_of[0] if self.one_of else ..., setting=True)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name, the kinds of value it takes, its default, bound, meaning, letter, and the other
    settings of which one must be given for it to have an effect."""

    name: str
    takes: tuple[Any, ...]
    default: Any = None
    bound: Bound | None = None
    meaning: str = ""
    letter: str = ""
    required: bool = False
    only_with: tuple[OnlyWith, ...] = ()

    def check(self, value: Any) -> Any:
        """The value as plain Python, or the sentence that says what is allowed."""
        words = tuple(each for each in self.takes if isinstance(each, str))
        if value is None and NoneType in self.takes:
            return None
        if words and (self.bound is None or (isinstance(value, str) and not isinstance(self.bound, Checked))):
            return choice(self.name, value, words)
        if self.bound is not None:
            value = self.bound.check(self.name, value)
        if self.takes == (bool,):
            return boolean(self.name, value)
        return whole(self.name, value, -MOST) if self._is_whole else value

    @property
    def _is_whole(self) -> bool:
        """Does its type leave nothing but whole numbers, whatever its bound lets pass?"""
        return int in self.takes and all(
            each in (int, NoneType) or isinstance(each, str) for each in self.takes
        )


@cache
def settings_of(maker: Callable[..., Any]) -> Mapping[str, Setting]:
    """The settings of a learner's class, or of a function: its annotated parameters.

    >>> from clearwood.learners.trees.id3 import ID3
    >>> settings_of(ID3)["max_depth"].takes, settings_of(ID3)["max_depth"].meaning
    ((<class 'int'>, <class 'NoneType'>), 'Most splits from the root to a leaf; none: no limit.')
    """
    hints = get_type_hints(maker, include_extras=True)
    if is_dataclass(maker):
        made = {each.name: _default(each) for each in fields(maker) if each.init}
    else:
        given = inspect.signature(maker).parameters.values()
        empty = inspect.Parameter.empty
        made = {
            each.name: MISSING if each.default is empty else each.default
            for each in given
            if get_origin(hints.get(each.name)) is Annotated
        }
    return {name: _setting(name, hints[name], default) for name, default in made.items()}


def set_otherwise(maker: T, **settings: Any) -> T:
    """The same learner or the like, a dataclass, with some settings changed."""
    given: Any = maker
    other: T = replace(given, **settings)
    return other


def changed_settings(made: object) -> dict[str, Any]:
    """The settings of a learner that are not its defaults, by name.

    >>> from clearwood.learners.trees.id3 import ID3
    >>> changed_settings(ID3(max_depth=3))
    {'max_depth': 3}
    """
    kind: Callable[..., Any] = type(made)
    own = {name: (getattr(made, name), each.default) for name, each in settings_of(kind).items()}
    return {name: value for name, (value, default) in own.items() if value != default}


def check(made: object) -> None:
    """Check every setting of a frozen dataclass, and put the plain values in their places.

    >>> import numpy as np
    >>> from clearwood.learners.trees.id3 import ID3
    >>> ID3(max_depth=np.int64(3), min_leaf=np.float32(0.5))
    ID3(measure='entropy', max_depth=3, min_rows=2, min_leaf=0.5, min_gain=None, priors=None, costs=None)
    """
    kind: Callable[..., Any] = type(made)
    known = settings_of(kind)
    for name, setting in known.items():
        object.__setattr__(made, name, setting.check(getattr(made, name)))
    free = {name for name, each in known.items() if any(way.at_the_shell for way in each.only_with)}
    check_effects(made, [name for name in changed_settings(made) if name not in free])


class CheckedSettings:
    """What a dataclass inherits whose settings are checked when it is made."""

    __slots__ = ()

    def __post_init__(self) -> None:
        check(self)


def check_effects(made: object, given: Iterable[str]) -> None:
    """Refuse, or remark on, the first of the settings `given` that has no effect beside the others.

    >>> from clearwood.learners.ensembles.boosting import Boosting
    >>> Boosting(quantile=0.9)
    Traceback (most recent call last):
        ...
    clearwood.errors.SettingError: quantile = 0.9 has no effect. Leave it out, or give also loss='quantile'.
    """
    for name in given:
        if has_effect(made, name):
            continue
        kind: Callable[..., Any] = type(made)
        ways = settings_of(kind)[name].only_with
        named = f"{name} = {getattr(made, name)!r}"
        others = [part for way in ways for part in (way.advice, " or ")][:-1]
        sentence = (named, " has no effect. Leave it out, or give also ", *others, ".")
        if not any(way.harmless for way in ways):
            raise SettingError(*sentence)
        warnings.warn(ClearwoodWarning(*sentence), stacklevel=5)


def has_effect(made: object, name: str) -> bool:
    """Does a setting of this learner have an effect, beside its others?"""
    kind: Callable[..., Any] = type(made)
    ways = settings_of(kind)[name].only_with
    return not ways or any(way.holds(made) for way in ways)


def checked(function: Callable[P, T]) -> Callable[P, T]:
    """The function, called with its settings checked and plain."""
    signature = inspect.signature(function)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        for name, setting in settings_of(function).items():
            given.arguments[name] = setting.check(given.arguments[name])
        return function(*given.args, **given.kwargs)

    return call


class Listed(MutableMapping[str, T], Generic[T]):
    """What there is of one kind, by name; an entry given as "module:name" is imported when it is asked for.

    >>> measures = Listed("measure", {"gini": "clearwood.measures.gini:gini"})
    >>> list(measures), round(float(measures["gini"]([9, 5])), 4)
    (['gini'], 0.4592)
    """

    def __init__(self, kind: str, entries: Mapping[str, T | str]) -> None:
        self.kind = kind
        self._entries = dict(entries)

    def __getitem__(self, name: str) -> T:
        entry = self._entries[name]
        if isinstance(entry, str):
            entry = self._entries[name] = imported(entry)
        return entry

    def __setitem__(self, name: str, entry: T) -> None:
        self._entries[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def find(self, name: str) -> T:
        """The entry of this name, or the sentence with the nearest one."""
        if name.lower() not in self._entries:
            raise SettingError(no_such(self.kind, name, self._entries))
        return self[name.lower()]


def imported(home: str) -> Any:
    """What "module:name" names, imported now.

    >>> imported("math:tau") > 6
    True
    """
    module, _, name = home.partition(":")
    return getattr(import_module(module), name)


def imported_extra(library: str, extra: str, purpose: str) -> Any:
    """A library that is not always installed, imported now; the sentence names the extra that brings it.

    >>> imported_extra("not_there", "arrow", "To read t.parquet")
    Traceback (most recent call last):
        ...
    clearwood.errors.MissingExtraError: To read t.parquet, install not-there: pip install 'clearwood[arrow]'
    """
    try:
        return import_module(library)
    except ImportError:
        way = f"install {library.replace('_', '-')}: pip install 'clearwood[{extra}]'"
        raise MissingExtraError(f"{purpose}, {way}") from None


def priors_of(_: str, value: Any) -> Any:
    """None, "equal", or a number above 0 for each class by its name.

    >>> priors_of("priors", {"No": 0.5, "Yes": 2})
    {'No': 0.5, 'Yes': 2}
    """
    if value is None or (isinstance(value, str) and value == "equal"):
        return value
    form = "priors must be None, 'equal' or a number above 0 by class, as in {'No': 0.3, 'Yes': 0.7}"
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise SettingError(f"{form}, not {value!r}.")
    plain = {str(name): finite(f"priors[{name!r}]", each, "a number") for name, each in value.items()}
    for name, each in plain.items():
        if not each > 0:
            raise SettingError(f"{form}; '{name}' has {each!r}. Leave out a class's rows to ignore it.")
    return plain


def costs_of(_: str, value: Any) -> Any:
    """None, or a number from 0 up for a pair of classes: what it costs to call the first the second.

    >>> costs_of("costs", {("Yes", "No"): 5})
    {('Yes', 'No'): 5}
    """
    if value is None:
        return None
    if not isinstance(value, Mapping) or not all(_is_pair(pair) for pair in value):
        raise SettingError(
            "costs must be None or a number by (true class, called), as in {('Yes', 'No'): 5},"
            f" not {value!r}."
        )
    costs = {
        (str(true), str(called)): at_least(f"costs[{true!r}, {called!r}]", each, 0)
        for (true, called), each in value.items()
    }
    for (true, called), each in costs.items():
        if each > LARGEST_COST:
            raise SettingError(
                f"costs[{true!r}, {called!r}] must be at most {LARGEST_COST:g}, since larger costs would "
                f"overflow; not {each:g}. Only the ratios of costs decide: divide all of them by one number."
            )
    return costs


Proportion: TypeAlias = Annotated[float, Within(0, 1, including_high=True)]
Priors: TypeAlias = Annotated[  # class → prior; "equal"; None: as they come
    Mapping[str, float] | Literal["equal"] | None,
    Checked(priors_of),
    "equal, or CLASS:SHARE: how frequent the classes are where the model will be used.",
]
Costs: TypeAlias = Annotated[  # (true class, called) → cost; others cost 1
    Mapping[tuple[str, str], float] | None,
    Checked(costs_of),
    "The cost of predicting a wrong class: TRUE/PREDICTED:COST.",
]


def _is_pair(key: Any) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and all(isinstance(each, str) for each in key)


def _setting(name: str, hint: Any, default: Any) -> Setting:
    """Of several bounds or meanings, where a field adds its own to a shared declaration, the last counts."""
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    bounds = [each for each in notes if not isinstance(each, str | Letter | OnlyWith)]
    meanings = [each for each in notes if isinstance(each, str)]
    letters = [each.sign for each in notes if isinstance(each, Letter)]
    required = default is MISSING
    return Setting(
        name,
        members(hint),
        None if required else default,
        bounds[-1] if bounds else None,
        meanings[-1] if meanings else "",
        letters[-1] if letters else "",
        required,
        tuple(each for each in notes if isinstance(each, OnlyWith)),
    )


def members(hint: Any) -> tuple[Any, ...]:
    """The kinds in a union: literal words first, free text last since it takes anything."""
    if get_origin(hint) is Annotated:
        return members(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        flat = [member for each in get_args(hint) for member in members(each)]
        return tuple(
            sorted(flat, key=lambda each: 0 if isinstance(each, str) else 1 if each is not str else 2)
        )
    if get_origin(hint) is Literal:
        return get_args(hint)
    return (hint,)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()
