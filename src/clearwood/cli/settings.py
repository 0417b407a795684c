"""Settings written as `name=value`: read by the type that the learner or pruner itself declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from clearwood.bounds import Least, OneWord, Whole, Within
from clearwood.catalogue import member_called, single_models, tree_called, trees
from clearwood.cli.sources import pairs
from clearwood.errors import SettingError, check_known
from clearwood.registry import Setting, changed_settings, settings_of

_YES = ("yes", "true", "on", "1")
_NO = ("no", "false", "off", "0")


def parse(owner: str, texts: Sequence[str] | None, maker: Callable[..., Any]) -> dict[str, Any]:
    """`--set` texts as arguments for `maker`; a wrong name or type is refused."""
    known = settings_of(maker)
    settings = {}
    for name, text in pairs("--set", texts, "NAME=VALUE").items():
        if not known:
            raise SettingError(f"{owner} has no settings, so that '{name}' cannot be one. Leave it out.")
        check_known(f"setting of {owner} called", name, known, plural="settings")
        settings[name] = parsed_value(known[name], text)
    return settings


def parsed_value(setting: Setting, text: str) -> Any:
    """The value a text stands for.

    >>> parsed_value(Setting("max_depth", (int, NoneType), None), "3")
    3
    >>> parsed_value(Setting("costs", (Mapping[tuple[str, str], float], NoneType), None), "bad/good:5")
    {('bad', 'good'): 5.0}
    >>> parsed_value(Setting("reference", ("first", Mapping[str, str]), "first"), "Outlook:Sunny,Wind:Weak")
    {'Outlook': 'Sunny', 'Wind': 'Weak'}
    >>> parsed_value(Setting("monotone", (Mapping[str, str],), None), "age:up:yes,price:down")
    {'age': 'up:yes', 'price': 'down'}
    >>> parsed_value(Setting("interactions", (Iterable[Iterable[str]],), None), "age+sex,age+hours")
    (('age', 'sex'), ('age', 'hours'))
    """
    word = text.strip()
    for kind in setting.takes:
        try:
            return _read(kind, word)
        except SettingError:  # of a learner within the setting, which says more than we could
            raise
        except ValueError:
            continue
    raise SettingError(f"{setting.name} takes {words_for(setting)}, not '{text}'.")


def words_for(setting: Setting) -> str:
    """What a setting takes, in words."""
    if isinstance(setting.bound, OneWord):
        return setting.bound.words
    words = list(dict.fromkeys(_word(kind) for kind in setting.takes if kind is not NoneType))
    if NoneType in setting.takes:
        words.append("none")
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def bounded_words_for(setting: Setting) -> str:
    """What a setting takes, and its bounds: "a number between 0 and 1"."""
    words, bound = words_for(setting), setting.bound
    if not isinstance(bound, Least | Within | Whole):
        return words
    number = "a whole number" if isinstance(bound, Whole) else "a number"
    return words.replace(number, f"{number} {bound.words}")


def default_text(value: Any) -> str:
    """A default as one would write it after `--set name=`."""
    if value is None or value == ():
        return "none"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if is_dataclass(value):
        return _learner_text(value)
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _learner_text(value: Any) -> str:
    """A learner as one would write it: its name, and what is not its default."""
    name = next(name for name, entry in single_models().items() if entry.name == type(value).__name__)
    own = [f"{key}={default_text(each)}" for key, each in changed_settings(value).items()]
    return f"{name}:{','.join(own)}" if own else name


def _takes_trees(kind: Any) -> bool | None:
    """Of a setting that takes a learner: one of trees alone? None of any other."""
    from clearwood.learners.learner import Learner  # late: help names no kinds of models
    from clearwood.models.kinds.tree.tree import Tree

    return get_args(kind) == (Tree,) if get_origin(kind) is Learner else None


def literal_choice(kind: str, word: str, known: Any) -> Any:
    """The word, if it is one of those that the Literal has."""
    check_known(kind, word, get_args(known))
    return word


def _read(kind: Any, text: str) -> Any:
    if isinstance(kind, str):
        return _one_of({kind: kind}, text)
    if kind is NoneType:
        return _one_of({"none": None}, text.lower())
    if kind is bool:
        return _one_of(dict.fromkeys(_YES, True) | dict.fromkeys(_NO, False), text.lower())
    if kind in (int, float, str):
        return kind(text)
    if _is_list(kind):
        return _listed(get_args(kind), text)
    trees_only = _takes_trees(kind)
    if trees_only is not None:
        return learner_in(text, trees_only=trees_only)
    keys, values = get_args(kind)
    return _mapped(keys, values, text)


def _is_list(kind: Any) -> bool:
    return get_origin(kind) in (tuple, Iterable)


def _listed(items: tuple[Any, ...], text: str) -> tuple[Any, ...]:
    """Several of one kind, or as many as there are kinds."""
    many = len(items) == 1 or items[1] is Ellipsis
    if text.lower() == "none" and many:
        return ()
    parts = text.split(",")
    if _is_list(items[0]):  # lists of lists
        return tuple(tuple(name.strip() for name in part.split("+")) for part in parts)
    kinds = [items[0]] * len(parts) if many else items
    return tuple(_read(kind, part.strip()) for kind, part in zip(kinds, parts, strict=True))


def _mapped(keys: Any, values: Any, text: str) -> dict[Any, Any]:
    """What is said by name: a number, a word, or by two names a number."""
    parts = text.split(",")
    if values is str:
        return dict(_two(each, ":") for each in parts)
    if get_origin(values) is Literal:
        words = {each: each for each in get_args(values)}
        return {name: _one_of(words, word) for name, word in (_two(each, ":") for each in parts)}
    entries = [_entry(each) for each in parts]
    if keys is str and values is float:
        return dict(entries)
    if keys is str and values is int:
        return {name: _whole(number) for name, number in entries}
    pairs = {_two(name, "/"): number for name, number in entries}
    if keys is not str:
        return pairs
    nested: dict[str, dict[str, float]] = {}
    for (name, value), number in pairs.items():
        nested.setdefault(name, {})[value] = number
    return nested


def learner_in(text: str, *, trees_only: bool = True) -> Any:
    """The learner (of trees) that a text names, with its settings: `cart:min_leaf=5,max_depth=4`.

    >>> learner_in("id3:max_depth=2").max_depth
    2
    """
    name, _, settings = text.partition(":")
    entry = tree_called(name) if trees_only else member_called(name)
    return entry.make(**parse(name, [each for each in settings.split(",") if each], entry.load()))


def _one_of(words: Mapping[str, Any], text: str) -> Any:
    if text not in words:
        raise ValueError
    return words[text]


def _entry(text: str) -> tuple[str, float]:
    name, colon, number = text.rpartition(":")
    if not colon:
        raise ValueError
    return name.strip(), float(number)


def _whole(number: float) -> int:
    if not number.is_integer():
        raise ValueError
    return int(number)


def _two(text: str, mark: str) -> tuple[str, str]:
    first, found, second = text.partition(mark)
    if not found:
        raise ValueError
    return first.strip(), second.strip()


def _word(kind: Any) -> str:
    plain = {bool: "yes or no", int: "a whole number", float: "a number", str: "a word"}
    if isinstance(kind, str):
        return kind
    if kind in plain:
        return plain[kind]
    if _is_list(kind):
        items = get_args(kind)
        if _is_list(items[0]):
            return "NAME+NAME,…"
        return {str: "NAME,…", int: ",".join("N" for _ in items)}[items[0]]
    trees_only = _takes_trees(kind)
    if trees_only is not None:
        names = list(trees() if trees_only else single_models())
        return f"{', '.join(names[:-1])} or {names[-1]}"
    keys, values = get_args(kind)
    if keys is not str:
        return "TRUE/PREDICTED:COST,…"
    if values is float:
        return "CLASS:NUMBER,…"
    if values is int:
        return "COLUMN:NUMBER,…"
    return "COLUMN:WORD,…" if values is str or get_origin(values) is Literal else "COLUMN/VALUE:NUMBER,…"
