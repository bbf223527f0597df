-- Every foreign key of the database that is not a part of another one (those of partitions are).
-- Parameters: none. No locks.
select
  k.oid::bigint as oid,
  k.conname as name,
  k.conrelid::bigint as referencing,
  k.conkey::integer[] as referencing_columns,
  k.confrelid::bigint as referenced,
  k.confkey::integer[] as referenced_columns,
  k.convalidated as validated,
  k.confdeltype = 'd' or k.confupdtype = 'd' as sets_default,
  pg_get_constraintdef(k.oid) as definition
from pg_constraint k
where k.contype = 'f'
  and k.conparentid = 0
order by k.conrelid::regclass::text, k.conname
