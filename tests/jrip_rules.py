"""The tables on which RIPPER's unpruned rules must be JRip's, and a rule list in the words both have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clearwood.formulas.conditions import Equals
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.table.attributes import Nominal
from clearwood.table.table import Table
from tests.generated_tables import generated_table


def growing_tables(tables: int = 30) -> Iterator[tuple[int, Table]]:
    """Of categories alone, with no two classes equally common: JRip draws lots for the order of those."""
    for seed in range(tables):
        table = generated_table("nominal", seed)
        counts = np.bincount(table.target)
        if len(np.unique(counts)) == len(counts):
            yield seed, table


def by_position(rules: RuleList) -> list[str]:
    """A line a rule, attributes and values by their place in the schema.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> by_position(cw.RIPPER(prune=False).learn(table))[-1]
    ': c1'
    """
    schema = rules.schema
    place = {attribute.name: i for i, attribute in enumerate(schema.attributes)}
    code = {name: f"c{i}" for i, name in enumerate(schema.classes)}
    lines = []
    for rule in rules:
        answers = []
        for condition in rule.when:
            attribute = schema[condition.name]
            assert isinstance(condition, Equals)
            assert isinstance(attribute, Nominal)
            answers.append(f"a{place[condition.name]} = v{attribute.values.index(condition.value)}")
        lines.append(f"{' and '.join(answers)}: {code[str(rule.then)]}")
    return [*lines, f": {code[str(rules.otherwise.then)]}"]
