"""What a rule list answers about itself."""

from typing import Final

from clearwood.models.kinds.kind import Kind, no_members
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rules_file import RulesForm, rules_from_form, rules_to_form
from clearwood.models.kinds.rules.rules_program import program_of_rules
from clearwood.models.kinds.rules.rules_space import RulesSpace
from clearwood.words.numbers import many

RULES: Final = Kind(
    model=RuleList,
    called="a rule list",
    phrase="a list",
    title="A list of rules",
    counts="Counts are",
    unit="rules",
    size=len,
    size_in_words=lambda rules: many(len(rules), "rule"),
    reading_size=lambda rules: rules.conditions,
    no_rules=None,
    members=no_members,
    quantile=lambda rules: 0.5 if rules.answers == "median" else None,
    about=None,
    program=program_of_rules,
    space=RulesSpace,
    account=None,
    body=RulesForm,
    write=rules_to_form,
    read=rules_from_form,
    lines=("rules",),
)
