-- The check constraints of a table.
-- Parameters: oid. No locks.
select
  k.conname as name,
  k.conkey::integer[] as columns,
  k.convalidated as validated,
  pg_get_constraintdef(k.oid) as definition,
  quote_literal(obj_description(k.oid, 'pg_constraint')) as comment
from pg_constraint k
where k.conrelid = :oid
  and k.contype = 'c'
order by k.conname
