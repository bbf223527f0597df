-- Looks for an index by its name.
--
-- Parameters: index. Locks: nothing.
select
  format('%I.%I', n.nspname, c.relname) as name,
  i.indisvalid and i.indisready and i.indislive as is_valid
from pg_catalog.pg_index i
join pg_catalog.pg_class c on c.oid = i.indexrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where i.indexrelid = to_regclass(:index)
