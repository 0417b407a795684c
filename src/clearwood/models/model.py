"""A model: whatever was learned, as plain data. Each verb over models matches on these types."""

from __future__ import annotations

from typing import TypeAlias

from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree

Model: TypeAlias = Tree | RuleList
