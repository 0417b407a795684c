"""Two rule lists as one: an expert's rules before, or after, those that were learned."""

from __future__ import annotations

from clearwood.editing.edits import uncounted
from clearwood.errors import SchemaError, SettingError
from clearwood.models.kinds import check_kind
from clearwood.models.lineage import Joined
from clearwood.models.rule_list import Otherwise, RuleList
from clearwood.table.attributes import Attribute, Nominal, Ordinal, joined_values, kind_of
from clearwood.table.read_as import joined_readings
from clearwood.table.schema import Schema


def joined(one: RuleList, two: RuleList) -> RuleList:
    """The rules of one list, then those of the other; the second's default answer is used if it has one.

    Counts are taken off, since the rows that a rule answers depend on those before it: see `recounted`.

    >>> from clearwood import Nominal, Numeric, read_rules
    >>> schema = Schema((Numeric("Humidity"),), Nominal("Play", ("Yes", "No")))
    >>> expert = read_rules("IF Humidity > 90 THEN No", schema)
    >>> print(joined(expert, read_rules("OTHERWISE Yes", schema)))
    IF Humidity > 90 THEN Play = No
    OTHERWISE Play = Yes
    """
    check_kind("joined", one, RuleList)
    check_kind("joined", two, RuleList)
    if one.matching != two.matching:
        raise SettingError("One list takes the first rule that holds, in the other the rules vote.")
    then = one.otherwise.then if two.otherwise.then is None else two.otherwise.then
    return RuleList(
        _schema(one.schema, two.schema),
        (*uncounted(one), *uncounted(two)),
        Otherwise(then),
        one.matching,
        one.decision if one.decision == two.decision else type(one.decision)(),
        one.origin.then(Joined(two.origin)),
    )


def _schema(one: Schema, two: Schema) -> Schema:
    """Both schemas' columns; one sentence where they contradict each other."""
    if one.target != two.target:
        assert one.target is not None
        assert two.target is not None
        if one.target.name != two.target.name:
            what = f"One list predicts '{one.target.name}', the other '{two.target.name}'."
        else:
            what = f"The lists know different classes of '{one.target.name}', or in another order."
        raise SchemaError(f"{what} Read both with one schema.")
    attributes = [_attribute(each, two) for each in one.attributes]
    attributes += [each for each in two.attributes if each.name not in one.positions]
    same = (one.weight, one.weights_are) == (two.weight, two.weights_are)
    weight, weights_are = (one.weight, one.weights_are) if same else (None, None)
    read_as = joined_readings(one.read_as, two.read_as)
    return Schema(tuple(attributes), one.target, weight, weights_are, read_as)


def _attribute(own: Attribute, two: Schema) -> Attribute:
    theirs = two[own.name] if own.name in two.positions else own
    if kind_of(own) != kind_of(theirs):
        raise SchemaError(
            f"Column '{own.name}' is {kind_of(own)} in one list and {kind_of(theirs)} in the other."
            " Read both with one schema."
        )
    if isinstance(own, Nominal) and isinstance(theirs, Nominal):
        return Nominal(own.name, joined_values(own.values, theirs.values))
    if isinstance(own, Ordinal) and own != theirs:
        raise SchemaError(
            f"The values of '{own.name}' are ordered otherwise in the other list. Read both with one schema."
        )
    return own
