"""Divided rows along their paths: the part of a row that comes to a leaf is a product of what each split lets
through, and what the leaves say is added block by block.

A program works out the part at every node from the part above it, one level of the query for each level of
the tree. As products the factors of all splits stand side by side, and few levels are enough. What a block of
leaves needs is worked out right before it is added, so that no level is wider than a database takes. Factors
are multiplied, and leaves added, in the program's order: rounding is the same.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from clearwood.formulas import expressions as f
from clearwood.models.program.program import ProgramStep, steps_used

_LEAVES: Final = 150  # in a block
_FACTORS: Final = 400  # in a block, unless a single path has more
_TOGETHER: Final = 10  # factors in a product; a longer path has a part on its way as well


@dataclass(frozen=True, slots=True)
class _LetThrough:
    """What a branch lets through: this factor of the part above it, which is the whole row for the first."""

    step: ProgramStep
    above: str | None
    factor: f.Expression


def along_paths(steps: Iterable[ProgramStep]) -> tuple[ProgramStep, ...]:
    """The same steps, with parts of divided rows as products and their sums in blocks."""
    steps = _joined(tuple(steps))
    branches = _branches(steps)
    if not branches:
        return steps
    blocks = _blocks(branches, steps)
    places = {name: place for place, name in enumerate(blocks)}
    writing = _Writing(branches)
    for step in steps:
        if step.name in branches:
            continue
        used = steps_used(step) & branches.keys()
        for name in sorted(used, key=lambda each: places.get(each, 0)):
            writing.write_part(name)
        writing.made += _added(step, blocks)
    return tuple(writing.made)


@dataclass(slots=True)
class _Writing:
    branches: Mapping[str, _LetThrough]
    made: list[ProgramStep] = field(default_factory=list)
    written: set[str] = field(default_factory=set)

    def write_part(self, name: str) -> None:
        """The part that comes to a node, once."""
        if name in self.written:
            return
        self.written.add(name)
        path = _path(self.branches, name)
        start = (len(path) - 1) // _TOGETHER * _TOGETHER
        before: list[f.Expression] = []
        if start:
            self.write_part(path[start - 1])
            before = [f.Earlier(path[start - 1])]
        step = self.branches[name].step
        factors = (*before, *(self._factor(each) for each in path[start:]))
        # A factor that nobody asks for is NULL, and so is what is made of it.
        self.made.append(replace(step, value=f.Product(factors), when=None))

    def _factor(self, name: str) -> f.Earlier:
        branch = self.branches[name]
        own = name.replace("part_", "into_") if "part_" in name else f"into_{name}"
        if own not in self.written:
            self.written.add(own)
            self.made.append(replace(branch.step, name=own, value=branch.factor))
        return f.Earlier(own)


def _branches(steps: Sequence[ProgramStep]) -> dict[str, _LetThrough]:
    """The steps that are a part of the one above them."""
    found: dict[str, _LetThrough] = {}
    for step in steps:
        if step.whole or step.when is None or not isinstance(step.value, f.Choose):
            continue
        ends = [case.then for case in step.value.cases] + [step.value.otherwise]
        above = {each for end in ends for each in _above(end)}
        factors = [_factor_of(end) for end in ends]
        if len(above) > 1 or not above <= found.keys() or None in factors:
            continue
        if not above and not all(isinstance(end, f.Number) and 0 <= end.value <= 1 for end in ends):
            continue
        cases = zip(step.value.cases, factors, strict=False)
        factor = f.Choose(
            tuple(f.ChoiceCase(case.when, then) for case, then in cases if then is not None),
            factors[-1] or f.ZERO,
        )
        found[step.name] = _LetThrough(step, next(iter(above), None), factor)
    waiting = [name for step in steps for name in _parts_added(step.value) or () if name in found]
    kept: set[str] = set()
    for name in waiting:
        if name not in kept:
            kept.update(_path(found, name))
    return {name: branch for name, branch in found.items() if name in kept}


def _parts_added(value: f.Expression) -> list[str] | None:
    """The steps that a sum adds, each times a number; None: it is no such sum."""
    if not isinstance(value, f.Sum):
        return None
    parts = []
    for term in value.terms:
        match term:
            case f.Product((f.Earlier(part), f.Number())):
                parts.append(part)
            case _:
                return None
    return parts


def _joined(steps: Sequence[ProgramStep]) -> tuple[ProgramStep, ...]:
    """Sums that go on where another ends as one: they are cut elsewhere here."""
    asked = Counter(name for step in steps for name in steps_used(step))
    sums: dict[str, f.Sum] = {}
    made: list[ProgramStep] = []
    for step in steps:
        match step.value:
            case f.Sum((f.Earlier(before), *rest)) if before in sums and asked[before] == 1:
                value = f.Sum((*sums[before].terms, *rest))
                made = [each for each in made if each.name != before]
                step = replace(step, value=value)
            case _:
                pass
        if _parts_added(step.value) and isinstance(step.value, f.Sum):
            sums[step.name] = step.value
        made.append(step)
    return tuple(made)


def _above(end: f.Expression) -> tuple[str, ...]:
    match end:
        case f.Earlier(step) | f.Product((f.Earlier(step), f.Number())):
            return (step,)
        case _:
            return ()


def _factor_of(end: f.Expression) -> f.Expression | None:
    match end:
        case f.Number():
            return end
        case f.Earlier():
            return f.ONE
        case f.Product((f.Earlier(), f.Number() as part)):
            return part
        case _:
            return None


def _path(branches: Mapping[str, _LetThrough], name: str) -> list[str]:
    """The branches from the first one to this."""
    path = [name]
    while (above := branches[path[-1]].above) is not None:
        path.append(above)
    return path[::-1]


def _blocks(branches: Mapping[str, _LetThrough], steps: Sequence[ProgramStep]) -> dict[str, int]:
    """The block of each part that is added, in the order of adding."""
    order: list[str] = []
    for step in steps:
        order = _merged(order, [part for part in _parts_added(step.value) or () if part in branches])
    blocks: dict[str, int] = {}
    block, leaves = 0, 0
    factors: set[str] = set()
    for name in order:
        path = _path(branches, name)
        if leaves and (leaves >= _LEAVES or len(factors.union(path)) > _FACTORS):
            block, leaves, factors = block + 1, 0, set()
        blocks[name] = block
        leaves += 1
        factors.update(path)
    return blocks


def _merged(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """Two lists as one in the order of both: a class adds only the leaves that have a share of it."""
    common, merged, at = set(other), list[str](), 0
    for name in one:
        while name in common and at < len(other) and other[at] != name:
            merged.append(other[at])
            at += 1
        at += name in common
        merged.append(name)
    return [*merged, *other[at:]]


def _added(step: ProgramStep, blocks: Mapping[str, int]) -> list[ProgramStep]:
    """A sum over the leaves as one sum for each block, which begins with that of the one before."""
    parts = _parts_added(step.value)
    if not parts or not isinstance(step.value, f.Sum) or not all(part in blocks for part in parts):
        return [step]
    by_block: dict[int, list[f.Expression]] = {}
    for part, term in zip(parts, step.value.terms, strict=True):
        by_block.setdefault(blocks[part], []).append(term)
    made: list[ProgramStep] = []
    for number, terms in enumerate(by_block.values(), 1):
        before = [f.Earlier(made[-1].name)] if made else []
        name = step.name if number == len(by_block) else f"{step.name}_upto_{number}"
        made.append(replace(step, name=name, value=f.Sum((*before, *terms)), when=None))
    return made
