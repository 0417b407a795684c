"""Models by chance: any table, learner, setting, pattern of missing cells and decision, by a seed."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any

import clearwood as cw
from clearwood.errors import ClearwoodError, ClearwoodWarning
from clearwood.exporting import FORMATS, RUNNERS
from clearwood.exporting.proof.adversarial import AdversarialRows, adversarial_rows
from clearwood.exporting.proof.proving import proof_of
from clearwood.exporting.running.runner import RunTask
from clearwood.models.decision import Cutoff, Decision, Isotonic, Platt
from clearwood.models.model import Model
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from tests.exporting.models_to_export import made_table

NAMES = (
    "age",
    "in come",
    'q"uote',
    "O'Brien",
    "größe",
    "select",
    "x1",
    "a\nb",
    "class ",
    "%s",
    "1st",
    "share_1",
)
VALUES = (
    "a",
    "B",
    "b",
    " a",
    "",
    "it's",
    'say "x"',
    "ü",
    "日本",
    "new\nline",
    "NULL",
    "1",
    "1.0",
    "\\",
    "never",
)


@dataclass(frozen=True)
class RandomCase:
    """A model by chance, from a seed that makes it again, and what it was learned by."""

    seed: int
    learner: Any
    model: Model

    @property
    def kind(self) -> str:
        """The learner's name, and whether it answers numbers."""
        return f"{type(self.learner).__name__}{' of numbers' if self.model.is_numeric else ''}"


def random_cases(first: int = 0) -> Iterator[RandomCase]:
    """Cases from a seed on, without end; what cannot be learned is passed over."""
    for seed in count(first):
        case = random_case(seed)
        if case is not None:
            yield case


def random_case(seed: int) -> RandomCase | None:
    """The case of a seed, if there is one. Every kind of learner has its turn."""
    random = Random(seed)
    numeric = seed % 7 == 6
    schema = _schema(random, numeric)
    learner = _learner(random, seed // 7 if numeric else seed - seed // 7, numeric)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            model = learner.learn(cw.encode(_rows(random, schema), schema))
        except ClearwoodError:
            return None
    if not numeric and random.random() < 0.4:
        try:
            model = replace(model, decision=_decision(random, schema.classes))
        except ClearwoodError:
            return None
    return RandomCase(seed, learner, model)


def _schema(random: Random, numeric: bool) -> Schema:
    names = random.sample(NAMES, random.randint(1, 5))
    attributes: list[Attribute] = []
    for name in names:
        values = tuple(random.sample(VALUES, random.randint(1, 5)))
        kind = random.random()
        attributes.append(
            Numeric(name) if kind < 0.5 else Nominal(name, values) if kind < 0.85 else Ordinal(name, values)
        )
    classes = tuple(random.sample(("yes", "no", "1", "0", "it's", "ü\n"), random.choice((2, 2, 3, 4))))
    return Schema(tuple(attributes), Numeric("the target") if numeric else Nominal("the target", classes))


def _rows(random: Random, schema: Schema) -> list[dict[str, Any]]:
    missing = {each.name: random.choice((0.0, 0.0, 0.1, 0.4)) for each in schema.attributes}
    scale = {each.name: random.choice((1.0, 0.001, 1e6, 0.1)) for each in schema.attributes}
    whole = {each.name: random.random() < 0.4 for each in schema.attributes}
    weights = {each.name: random.gauss(0, 1) for each in schema.attributes}
    rows = []
    for _ in range(random.choice((4, 15, 40, 90))):
        row: dict[str, Any] = {}
        score = random.gauss(0, 0.7)
        for attribute in schema.attributes:
            name = attribute.name
            if isinstance(attribute, Numeric):
                x = random.gauss(0, 1)
                cell: Any = float(round(3 * x)) if whole[name] else x * scale[name]
                score += weights[name] * x
            else:
                assert isinstance(attribute, Nominal | Ordinal)
                place = random.randrange(len(attribute.values))
                cell = attribute.values[place]
                score += weights[name] * (place % 3 - 1)
            row[name] = None if random.random() < missing[name] else cell
        target = schema.target
        assert target is not None
        if isinstance(target, Numeric):
            row[target.name] = score
        else:
            row[target.name] = schema.classes[min(len(schema.classes) - 1, int(abs(score) * 1.5))]
        rows.append(row)
    return rows


def _learner(random: Random, turn: int, numeric: bool) -> Any:
    """The one whose turn it is, with settings by chance."""
    chosen = random.choice
    learners = _of_numbers(chosen) if numeric else _of_classes(chosen)
    return learners[turn % len(learners)]


def _of_numbers(chosen: Callable[[Any], Any]) -> tuple[Any, ...]:
    return (
        cw.CART(alpha=0.0, min_leaf=1, surrogates=chosen((0, 3))),
        cw.CART(measure="absolute"),
        cw.Forest(trees=3, seed=1, max_depth=4),
        cw.Boosting(trees=4, min_child=0),
        cw.GAM(bags=2, pairs=chosen((0, 1)), min_leaf=1),
    )


def _of_classes(chosen: Callable[[Any], Any]) -> tuple[Any, ...]:
    return (
            cw.ID3(max_depth=chosen((None, 2)), min_leaf=chosen((1, 3))),
            cw.C45(prune=chosen((True, False)), group_values=chosen((True, False))),
            cw.C45(prune=False, min_rows=1, priors=chosen((None, "equal"))),
            cw.CART(alpha=chosen((0.0, 0.01)), min_leaf=1, surrogates=chosen((0, 1, 5))),
            cw.CHAID(),
            cw.ILA(cuts="frequency"),
            cw.C45Rules(),
            cw.CN2(rules=chosen(("ordered", "unordered"))),
            cw.PRISM(cuts="frequency"),
            cw.RIPPER(),
            cw.NaiveBayes(numeric=chosen(("gaussian", "kernel", "cuts")), smoothing=chosen((0.0, "laplace"))),
            cw.NaiveBayes(numeric=chosen(("bernoulli", "multinomial")), smoothing=2.0),
            cw.NaiveBayes(numeric="gaussian", priors=chosen((None, "equal"))),
            cw.Logistic(penalty="l2"),
            cw.Forest(trees=3, seed=1, max_depth=4, combine=chosen(("mean", "votes"))),
            cw.Boosting(trees=3, min_child=0),
            cw.AdaBoost(trees=3, of=cw.CART(max_depth=2)),
            cw.Bagging(trees=2, seed=1, of=cw.C45(), combine=chosen(("mean", "votes"))),
            cw.GAM(bags=2, pairs=chosen((0, 1)), min_leaf=1, seed=1),
    )  # fmt: skip


def _decision(random: Random, classes: tuple[str, ...]) -> Decision:
    many = len(classes)
    calibration = None
    if random.random() < 0.4:
        numbers = tuple(random.uniform(-0.5, 1.5) for _ in classes)
        at = tuple(tuple(sorted(random.random() for _ in range(random.randint(1, 4)))) for _ in classes)
        shares = tuple(tuple(sorted(random.random() for _ in of)) for of in at)
        calibration = random.choice(
            (Platt(tuple(abs(each) for each in numbers), numbers), Isotonic(at, shares))
        )
    costs = tuple(
        tuple(0.0 if one == other else random.choice((1.0, 2.0, 5.5)) for other in range(many))
        for one in range(many)
    )
    how = random.random()
    return Decision(
        calibration=calibration,
        cutoff=Cutoff(random.choice(classes), random.choice((0.2, 0.5, 0.75))) if how < 0.35 else None,
        costs=costs if 0.35 <= how < 0.6 else (),
        refer=random.choice((0.4, 0.6, 0.9)) if random.random() < 0.4 else None,
    )


@dataclass(frozen=True)
class TriedModels:
    """How many models of each kind a target has run, what is wrong with them, and why others were refused."""

    ran: Counter[str]
    refused: Counter[str]
    wrong: tuple[str, ...]


def tried(format: str, options: dict[str, Any], enough: int, first: int, most: int) -> TriedModels:
    """So many models, from a seed on, that the format takes: exported, run in one batch, and compared."""
    refused = Counter[str]()
    cases: list[RandomCase] = []
    tasks: list[RunTask] = []
    made: list[AdversarialRows] = []
    for case in random_cases(first):
        if len(cases) == enough:
            break
        try:
            exported = cw.export(case.model, format, **options)
        except cw.errors.SettingError:
            refused[case.kind] += 1
            continue
        rows = adversarial_rows(case.model, most=most, seed=case.seed)
        cases.append(case)
        tasks.append(RunTask(exported, rows.rows))
        made.append(rows)
    ran = Counter[str]()
    wrong: list[str] = []
    outcomes = RUNNERS[tasks[0].exported.target].run_many(tasks)
    for case, task, rows, outcome in zip(cases, tasks, made, outcomes, strict=True):
        proof = proof_of(task.exported, rows, (), ran=outcome)
        if proof.status == "not run":
            return TriedModels(ran, refused, (proof.because,))
        ran[case.kind] += 1
        if proof.status == "failed":
            shown = "\n".join(str(each) for each in proof.different[:3])
            about = f"seed {case.seed}, {case.learner!r}, {case.model.decision}"
            wrong.append(f"{about}: {proof.because}\n{shown}")
    return TriedModels(ran, refused, tuple(wrong))


def kinds_taken(format: str) -> set[str]:
    """The kinds of models that a format takes, by one of each on a table that all can learn."""
    taken = set[str]()
    for numeric in (False, True):
        learners = _of_numbers(_first) if numeric else _of_classes(_first)
        for learner in learners:
            case = RandomCase(0, learner, learner.learn(made_table(60, numeric=numeric)))
            if FORMATS[format].refuses(case.model) is None:
                taken.add(case.kind)
    return taken


def _first(options: Any) -> Any:
    return options[0]
