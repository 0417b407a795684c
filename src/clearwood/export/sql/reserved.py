"""Words that a database keeps for itself: a table of such a name is written in quotes."""

from __future__ import annotations

from typing import Final

_POSTGRES: Final = """
all analyse analyze and any array as asc asymmetric authorization binary both case cast check
collate collation column concurrently constraint create cross current_catalog current_date
current_role current_schema current_time current_timestamp current_user default deferrable desc
distinct do else end except false fetch for foreign freeze from full grant group having ilike in
initially inner intersect into is isnull join lateral leading left like limit localtime
localtimestamp natural not notnull null offset on only or order outer overlaps placing primary
references returning right select session_user similar some symmetric system_user table tablesample
then to trailing true union unique user using variadic verbose when where window with
"""
_SNOWFLAKE: Final = """
account all alter and any as between by case cast check column connect connection constraint create
cross current current_date current_time current_timestamp current_user database delete distinct drop
else exists false following for from full grant group gscluster having ilike in increment inner
insert intersect into is issue join lateral left like localtime localtimestamp minus natural not
null of on or order organization qualify regexp revoke right rlike row rows sample schema select set
some start table tablesample then to trigger true try_cast union unique update using values view
when whenever where with
"""
_OTHERS: Final = """
accessible add anti asensitive asof assert_rows_modified at autoincrement backup before begin bigint
blob break browse bulk call cascade change char character checkpoint close clustered coalesce
columns commit compute condition contains containstable continue convert cube cume_dist cursor
databases day_hour day_microsecond day_minute day_second dbcc deallocate dec decimal declare define
delayed dense_rank deny describe deterministic disk distinctrow distributed div double dual dump
each elseif empty enclosed enum errlvl escape escaped exclude exec execute exit explain external
extract file fillfactor first_value float float4 float8 force freetext freetexttable fulltext
function generated get glob goto grouping groups hash high_priority holdlock hour_microsecond
hour_minute hour_second identity identity_insert identitycol if ignore index infile inout
insensitive int int1 int2 int3 int4 int8 integer interval io_after_gtids io_before_gtids iterate
json_table key keys kill lag lambda last_value lead leave linear lineno lines load lock long
longblob longtext lookup loop low_priority map master_bind master_ssl_verify_server_cert match
maxvalue mediumblob mediumint mediumtext merge middleint minute_microsecond minute_second mod
modifies national nearest new no no_write_to_binlog nocheck nonclustered nothing nth_value ntile
nullif nulls numeric off offsets open opendatasource openquery openrowset openxml optimize
optimizer_costs option optionally out outfile over partition percent percent_rank pivot pivot_longer
pivot_wider plan positional preceding precision print proc procedure proto public purge raiserror
range rank read read_write reads readtext real reconfigure recursive release rename repeat replace
replication require resignal respect restore restrict return revert rollback rollup row_number
rowcount rowguidcol rule save schemas second_microsecond securityaudit semantickeyphrasetable
semanticsimilaritydetailstable semanticsimilaritytable semi sensitive separator setuser show
shutdown signal smallint spatial specific sql sql_big_result sql_calc_found_rows sql_small_result
sqlexception sqlstate sqlwarning ssl starting statistics stored straight_join struct summarize
system terminated textsize tinyblob tinyint tinytext top tran transaction treat truncate try_convert
tsequal tuple unbounded undo unlock unnest unpack unpivot unsigned updatetext usage use utc_date
utc_time utc_timestamp varbinary varchar varcharacter varying virtual waitfor while within write
writetext xor year_month zerofill
"""

# These two change the case of a name without quotes, so that no other word may be quoted there.
OF_POSTGRES: Final = frozenset(_POSTGRES.split())
OF_SNOWFLAKE: Final = frozenset(_SNOWFLAKE.split())
# Elsewhere quotes change nothing, and a word is quoted that any of the databases keeps for itself.
OF_ANY: Final = OF_POSTGRES | OF_SNOWFLAKE | frozenset(_OTHERS.split())
