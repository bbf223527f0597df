-- Those of :schemas that are not there.
-- Locks: none.
select name
from unnest(:schemas::text[]) as wanted (name)
where not exists (select from pg_namespace n where n.nspname = wanted.name)
order by name
