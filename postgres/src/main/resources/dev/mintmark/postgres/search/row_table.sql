-- The table of a collection, the columns to read of its rows, and whether an index leads to a row: one row, or none if there is
-- no such table. Each part (partition or child table) needs an index of its own, since the index of a table does not
-- contain the rows of tables that inherit from it; that of a partitioned table is valid only if all its partitions have one.
--
-- Parameters: schemas (where the table is looked for, in this order); name; column (of the identifier); shown (the columns to
-- read); all_columns, key_columns (whether all columns, or those of the primary key and the identifier, are read
-- instead). Locks: none.
with recursive
found as materialized (
  select c.oid, c.relname, n.oid as namespace, n.nspname
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relname = :name and n.nspname = any (:schemas::text[])
  order by pg_catalog.array_position(:schemas::text[], n.nspname::text)
  limit 1
),
part (oid) as (
  select oid
  from found
  union
  select i.inhrelid
  from pg_catalog.pg_inherits i
  join part on part.oid = i.inhparent
),
key_column as (
  select k.attnum, k.place
  from found f
  join pg_catalog.pg_index i on i.indrelid = f.oid and i.indisprimary
  cross join lateral pg_catalog.unnest((i.indkey::int2[])[0 : i.indnkeyatts - 1]) with ordinality as k (attnum, place)
),
wanted as (
  select s.name, s.place
  from pg_catalog.unnest(:shown::text[]) with ordinality as s (name, place)
  union all
  select a.attname::text, case when :all_columns then a.attnum else coalesce(k.place, 0) end
  from found f
  join pg_catalog.pg_attribute a on a.attrelid = f.oid and a.attnum > 0 and not a.attisdropped
  left join key_column k on k.attnum = a.attnum
  where :all_columns or (:key_columns and (k.place is not null or a.attname = :column))
),
named as (
  select a.attname, a.attnum
  from found f
  join pg_catalog.pg_attribute a on a.attrelid = f.oid and a.attnum > 0 and not a.attisdropped
  where a.attname = :column or a.attname in (select w.name from wanted w)
)
select
  f.nspname as schema,
  f.relname as name,
  pg_catalog.format('%I.%I', f.nspname, f.relname) as shown,
  pg_catalog.has_schema_privilege(f.namespace, 'usage') as is_open,
  not exists (
    select
    from part
    join pg_catalog.pg_class pc on pc.oid = part.oid
    where pc.relkind not in ('r', 'p', 'm')
  ) as is_table,
  -- the type under a domain, which can be over another domain
  (
    with recursive resolved (oid) as (
      select a.atttypid
      from pg_catalog.pg_attribute a
      where a.attrelid = f.oid and a.attname = :column and a.attnum > 0 and not a.attisdropped
      union all
      select t.typbasetype
      from resolved
      join pg_catalog.pg_type t on t.oid = resolved.oid
      where t.typtype = 'd'
    )
    select case when tn.nspname = 'pg_catalog' then t.typname else tn.nspname || '.' || t.typname end
    from resolved
    join pg_catalog.pg_type t on t.oid = resolved.oid
    join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
    where t.typtype <> 'd'
  ) as type,
  (select pg_catalog.array_agg(w.name order by w.place) from wanted w) as columns,
  (
    select pg_catalog.array_agg(w.name order by w.place)
    from wanted w
    where not exists (select from named where named.attname = w.name)
  ) as missing,
  (
    select pg_catalog.array_agg(named.attname::text order by named.attnum)
    from named
    where not pg_catalog.has_column_privilege(f.oid, named.attnum, 'select')
  ) as unreadable,
  not exists (
    select
    from part
    join pg_catalog.pg_class pc on pc.oid = part.oid and pc.relkind <> 'p'
    where not exists (
      select
      from pg_catalog.pg_index i
      join pg_catalog.pg_class ic on ic.oid = i.indexrelid
      join pg_catalog.pg_am am on am.oid = ic.relam
      join pg_catalog.pg_attribute a on a.attrelid = part.oid and a.attname = :column and a.attnum = i.indkey[0]
      join pg_catalog.pg_opclass o on o.oid = i.indclass[0]
      join pg_catalog.pg_amop ao
        on ao.amopfamily = o.opcfamily and ao.amoplefttype = o.opcintype and ao.amoprighttype = o.opcintype
        and ao.amopstrategy = case am.amname when 'btree' then 3 when 'hash' then 1 end
      join pg_catalog.pg_operator eq
        on eq.oid = ao.amopopr and eq.oprname = '=' and eq.oprnamespace = 'pg_catalog'::pg_catalog.regnamespace
      where i.indrelid = part.oid
        and i.indisvalid and i.indisready
        and i.indpred is null
        and i.indcollation[0] = a.attcollation
    )
  ) as is_indexed,
  pg_catalog.row_security_active(f.oid) as hides_rows
from found f
