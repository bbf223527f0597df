-- Describes a table, its columns and the column by which it is read: the given column; otherwise the only column of its
-- primary key; otherwise the first column that becomes readable.
--
-- Parameters: the given column (null for none), the first readable column, the table as in SQL.
-- The number of rows is that of the last analyze or vacuum, for a partitioned table the sum of its partitions. It is
-- null for views, and if a table or a partition that has rows was never analyzed. The condition split_nulls finds the rows
-- without a key; it is null if there can be none.
--
-- Locks: ACCESS SHARE on system catalogs, the table and its partitions.
with chosen as (
  select
    class.oid,
    class.relname,
    class.relkind,
    space.nspname,
    coalesce(
      ?::text,
      (
        select attribute.attname::text
        from pg_catalog.pg_index index
        join pg_catalog.pg_attribute attribute
          on attribute.attrelid = index.indrelid
          and attribute.attnum = index.indkey[0]
        where index.indrelid = class.oid
          and index.indisprimary
          and index.indnkeyatts = 1
          and attribute.atttypid in (
            'uuid'::regtype::oid, 'smallint'::regtype::oid, 'integer'::regtype::oid, 'bigint'::regtype::oid
          )
      ),
      ?::text
    ) as split_column
  from pg_catalog.pg_class class
  join pg_catalog.pg_namespace space
    on space.oid = class.relnamespace
  where class.oid = pg_catalog.to_regclass(?::text)::oid
),
stored as (
  select
    class.reltuples,
    class.relkind,
    class.relkind = 'v'
      or (class.reltuples < 0 and (class.relkind = 'f' or pg_catalog.pg_relation_size(class.oid) > 0)) as is_unknown
  from chosen
  cross join lateral (
    select chosen.oid
    where chosen.relkind <> 'p'
    union all
    select leaf.relid::oid
    from pg_catalog.pg_partition_tree(chosen.oid::regclass) leaf
    where chosen.relkind = 'p' and leaf.isleaf
  ) relation
  join pg_catalog.pg_class class
    on class.oid = relation.oid
)
select
  pg_catalog.quote_ident(chosen.nspname) || '.'::text || pg_catalog.quote_ident(chosen.relname) as table_name,
  array(
    select other.attname::text
    from pg_catalog.pg_attribute other
    where other.attrelid = chosen.oid and other.attnum > 0 and not other.attisdropped
    order by other.attnum
  ) as column_names,
  chosen.split_column,
  pg_catalog.quote_ident(chosen.split_column) as split_quoted,
  pg_catalog.format_type(attribute.atttypid, attribute.atttypmod) as split_type,
  case
    -- nobody checks the rows of a foreign table, and no rows are sought for "is null" if a column is declared not null
    when exists (select from stored where stored.relkind = 'f')
      then pg_catalog.quote_ident(chosen.split_column) || '::text is null'::text
    when attribute.attnotnull
      and not exists (
        -- from 18 on a not-null constraint can exist before the existing rows are validated
        select
        from pg_catalog.pg_constraint declared
        where declared.conrelid = chosen.oid
          and declared.contype = 'n'
          and not declared.convalidated
          and declared.conkey = array[attribute.attnum]
      )
      and not exists (
        -- a table that inherits from this one need not have its constraints
        select
        from pg_catalog.pg_inherits child
        where chosen.relkind = 'r' and child.inhparent = chosen.oid
      )
      then null
    else pg_catalog.quote_ident(chosen.split_column) || ' is null'::text
  end as split_nulls,
  chosen.relkind not in ('v', 'f') and not exists (
    select
    from pg_catalog.pg_index index
    where index.indrelid = chosen.oid
      and index.indkey[0] = attribute.attnum
      and index.indisvalid
      and index.indpred is null
  ) as split_unindexed,
  (
    select
      case
        when pg_catalog.bool_or(stored.is_unknown) then null
        else coalesce(pg_catalog.sum(greatest(stored.reltuples, 0)), 0)::bigint
      end
    from stored
  ) as rows_estimated,
  (
    select stats.histogram_bounds::text::text[]
    from pg_catalog.pg_stats stats
    where stats.schemaname = chosen.nspname
      and stats.tablename = chosen.relname
      and stats.attname = chosen.split_column
    order by stats.inherited desc
    limit 1
  ) as histogram
from chosen
left join pg_catalog.pg_attribute attribute
  on attribute.attrelid = chosen.oid
  and attribute.attname = chosen.split_column
  and attribute.attnum > 0
  and not attribute.attisdropped
