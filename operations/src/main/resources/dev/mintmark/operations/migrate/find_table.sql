-- The table of a name, found as statements of this session would find it; no row where there is none.
-- Parameters: name, quoted. No locks.
select c.oid::bigint as oid, c.relkind::text as kind
from pg_class c
where c.oid = to_regclass(:name)
