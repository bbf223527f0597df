-- The relations that statements of this session would find by some names; no row for a name without a relation. It runs under
-- the search_path of the role, so it has no operator.
-- Parameters: names (text[]), quoted. Locks: none.
select
  w.name as wanted,
  pg_catalog.to_regclass(w.name)::oid::bigint as oid
from pg_catalog.unnest(:names::text[]) as w (name)
where pg_catalog.to_regclass(w.name) is not null
