"""The source of a query: the name of a table, behind that of its schema, quoted where it has to be."""

import re
import unicodedata
from collections.abc import Sequence

from clearwood.errors import SettingError
from clearwood.exporting.sql.dialects import SqlDialect


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
