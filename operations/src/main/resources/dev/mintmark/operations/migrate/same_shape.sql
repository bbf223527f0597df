-- The other tables whose columns have the same names, types and order as those of one of the tables :relations.
-- Parameters: relations (bigint[]). Locks: none.
with shapes as materialized (
  select
    a.attrelid as oid,
    pg_catalog.array_agg(
      pg_catalog.format('%s %s %s', a.attname, a.atttypid, a.atttypmod)
      order by a.attnum
    ) as columns
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p')
    and c.relpersistence <> 't'
    and n.nspname <> 'information_schema'
    and n.nspname !~ '^pg_'
    and a.attnum > 0
    and not a.attisdropped
  group by a.attrelid
)
select
  changed.oid::bigint as relation,
  pg_catalog.format('%I.%I', n.nspname, c.relname) as shown
from shapes changed
join shapes other on other.columns = changed.columns and other.oid <> changed.oid
join pg_catalog.pg_class c on c.oid = other.oid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where changed.oid = any (:relations::oid[])
order by relation, shown
