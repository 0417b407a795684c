"""Kept: what is worked out of a model once, for those who ask it row by row."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Final, TypeVar
from weakref import ref

_MOST: Final = 32  # models of which a function keeps what it worked out

ModelT = TypeVar("ModelT")
ValueT = TypeVar("ValueT")


def kept(work: Callable[[ModelT], ValueT]) -> Callable[[ModelT], ValueT]:
    """A function of a model that works each out once, as long as the model lives and
    few others come after it.

    What it gives must not hold the model itself, which would then live for ever, and is not to be changed.

    >>> class Thing: ...
    >>> asked = []
    >>> sizes = kept(lambda thing: asked.append(thing.size) or thing.size)
    >>> thing = Thing()
    >>> thing.size = 3
    >>> sizes(thing), sizes(thing), asked
    (3, 3, [3])
    """
    values: OrderedDict[int, tuple[ref[ModelT], ValueT]] = OrderedDict()
    lock = Lock()

    @wraps(work)
    def once(model: ModelT) -> ValueT:
        place = id(model)
        held = values.get(place)
        if held is not None and held[0]() is model:
            return held[1]
        value = work(model)
        # Whoever dies is forgotten before another model can have its place.
        known = ref(model, lambda _: values.pop(place, None))
        with lock:
            values[place] = known, value
            values.move_to_end(place)
            while len(values) > _MOST:
                values.popitem(last=False)
        return value

    return once
