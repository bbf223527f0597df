-- The relations of some names, found as statements of this session would find them; no row for a name without a relation.
-- Parameters: names (text[]), quoted. Locks: none.
select
  w.name as wanted,
  c.oid::bigint as oid,
  n.nspname as schema,
  c.relname as name,
  pg_catalog.format('%I.%I', n.nspname, c.relname) as shown,
  c.relkind::text as kind
from pg_catalog.unnest(:names::text[]) as w (name)
join pg_catalog.pg_class c on c.oid = pg_catalog.to_regclass(w.name)
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
