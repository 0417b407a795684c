"""Names in a query: of the columns that it adds, none of which is a column of the model's table, whatever its
case; and of its source, a table behind its schema, quoted where it has to be."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clearwood.errors import SettingError
from clearwood.exporting.exportable import Exportable
from clearwood.exporting.sql.dialects import SqlDialect
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.table.attributes import Attribute


@dataclass(frozen=True, slots=True)
class OutputNames:
    """The columns of the answer: the class or number, the share of each class, the place of the leaf or rule
    counted from 1, what it says, and the sum of points."""

    prediction: str
    shares: tuple[str, ...]
    region: str
    reason: str
    points: str


@dataclass(slots=True)
class FreshNames:
    """Hands out names that are not taken, in any case."""

    taken: set[str] = field(default_factory=set)

    def fresh(self, name: str) -> str:
        """This name, with a number behind it where it is taken.

        >>> FreshNames({"leaf"}).fresh("Leaf")
        'Leaf_2'
        """
        number, chosen = 2, name
        while chosen.lower() in self.taken:
            chosen, number = f"{name}_{number}", number + 1
        self.taken.add(chosen.lower())
        return chosen


def names_beside(model: Exportable, keep: Iterable[str] = ()) -> FreshNames:
    """Names beside those of the model's columns and of others that go along."""
    target = [] if model.schema.target is None else [model.schema.target.name]
    return FreshNames(
        {each.lower() for each in (*(one.name for one in model.schema.attributes), *target, *keep)}
    )


def output_names(model: Exportable, dialect: SqlDialect, keep: Sequence[str] = ()) -> OutputNames:
    """The names of the answer's columns; columns to keep are refused where the database has none such."""
    for each in keep:
        if (because := dialect.name_rules.broken_by(each)) is not None:
            raise SettingError(
                f"keep: no column of {dialect.title} has the name {_shortened(each)}, which {because}. "
                "Leave it out of keep, or rename it."
            )
    names = names_beside(model, keep)
    prediction = names.fresh("prediction")
    shares = tuple(names.fresh(_share_name(each, dialect)) for each in model.schema.classes)
    region = names.fresh("rule" if isinstance(model, RuleList) else "leaf")
    return OutputNames(prediction, shares, region, names.fresh("reason"), names.fresh("points"))


def helping_name(name: str) -> str:
    """The name of a column in letters that every database takes without quotes.

    >>> helping_name('in "Come"'), helping_name("größe")
    ('cw_in_come', 'cw_gr_e')
    """
    return f"cw_{re.sub('[^a-z0-9]+', '_', name.lower()).strip('_')[:40]}".rstrip("_")


def refuse_same_names(inputs: Sequence[Attribute], dialect: SqlDialect) -> None:
    """Refuse columns that the database cannot have, or could not tell apart."""
    for each in inputs:
        if (because := dialect.name_rules.broken_by(each.name)) is not None:
            raise SettingError(
                f"No column of {dialect.title} has the name {_shortened(each.name)}, which {because}. "
                "Rename it and learn again, or write for duckdb or sqlite."
            )
    known: dict[str, str] = {}
    for each in inputs if dialect.ignores_case else ():
        other = known.setdefault(each.name.lower(), each.name)
        if other != each.name:
            raise SettingError(
                f"{dialect.title} takes the columns '{other}' and '{each.name}' for one. Rename one of them "
                "and learn again, or write for postgres or snowflake, where case counts."
            )


def _share_name(of: str, dialect: SqlDialect) -> str:
    name = f"share_{of}"
    if dialect.plain_names:
        name = re.sub(r"[^\w \-%&+=<>:#']", "_", name)
    # Room is left for a number that tells it from others.
    cut = name.encode()[: dialect.name_bytes - 5].decode(errors="ignore")
    return dialect.name_rules.fitted(cut)


def _shortened(name: str) -> str:
    return repr(name if len(name) <= 60 else f"{name[:59]}…")


# The source of a query: the name of a table, behind that of its schema.


def source_parts(source: str, dialect: SqlDialect) -> tuple[str, ...]:
    """The names that points divide; what cannot be the name of a table is refused."""
    if not source.strip():
        raise SettingError("A query needs the name of its table: source='customers'.")
    parts = tuple(source.split("."))
    for part in parts:
        if part != part.strip() or not part:
            raise SettingError(
                f"The source {source!r} has an empty name, or blanks at the end of one. Write it as "
                "table or as schema.table."
            )
        if any(unicodedata.category(each) in ("Cc", "Cs") for each in part):
            raise SettingError(
                f"The source {source!r} has a character that no name of a table can have. Name a table or a "
                "view without it."
            )
        if (because := dialect.name_rules.broken_by(part)) is not None:
            raise SettingError(
                f"The source has a name that {because}, and {dialect.title} does not allow such names. "
                "Name a table or a view without it."
            )
    if len(parts) > dialect.name_parts:
        raise SettingError(
            f"The source '{source}' has {len(parts)} names, and a table of {dialect.title} has at most "
            f"{dialect.name_parts}. Name a view instead where a name has a point in it."
        )
    return parts


def source_in_sql(parts: Sequence[str], dialect: SqlDialect) -> str:
    """The names of a source as SQL; plain ones stay without quotes.

    >>> from clearwood.exporting.sql.dialects import DUCKDB
    >>> source_in_sql(("sales", "order"), DUCKDB)
    'sales."order"'
    """
    return ".".join(each if _is_plain(each, dialect) else dialect.quote(each) for each in parts)


def _is_plain(name: str, dialect: SqlDialect) -> bool:
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None and name.lower() not in dialect.reserved
