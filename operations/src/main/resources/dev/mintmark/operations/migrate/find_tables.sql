-- The relations :relations.
-- Parameters: relations (bigint[]). Locks: none.
select
  c.oid::bigint as oid,
  n.nspname as schema,
  c.relname as name,
  format('%I.%I', n.nspname, c.relname) as shown,
  c.relkind::text as kind
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.oid = any (:relations::oid[])
