-- The relations :relations.
-- Parameters: relations (bigint[]). Locks: none.
select
  c.oid::bigint as oid,
  n.nspname as schema,
  c.relname as name,
  pg_catalog.format('%I.%I', n.nspname, c.relname) as shown,
  c.relkind::text as kind
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid = any (:relations::oid[])
