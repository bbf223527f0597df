-- How many rows the largest of some tables has, as statistics say; its partitions and children included. A view counts as 0.
--
-- Parameters: tables (quoted names). Locks: none.
with recursive part (root, oid) as (
  select name, pg_catalog.to_regclass(name)::oid
  from pg_catalog.unnest(:tables::text[]) name
  union
  select part.root, i.inhrelid
  from pg_catalog.pg_inherits i
  join part on part.oid = i.inhparent
),
size (n) as (
  select pg_catalog.sum(case when c.relkind in ('r', 'm', 'f') and c.reltuples > 0 then c.reltuples else 0 end)
  from part
  join pg_catalog.pg_class c on c.oid = part.oid
  group by part.root
)
select coalesce(pg_catalog.max(n), 0)::bigint as most_rows
from size
