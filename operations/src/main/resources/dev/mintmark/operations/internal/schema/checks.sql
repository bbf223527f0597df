-- The check constraints of the tables :relations.
-- Parameters: relations (bigint[]). Locks: ACCESS SHARE on a table for as long as one of its checks is written out.
select
  k.conrelid::bigint as relation,
  k.conname as name,
  array(
    select a.attname::text
    from unnest(k.conkey) as c (number)
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.number
  ) as columns,
  k.convalidated as is_validated,
  pg_get_constraintdef(k.oid) as definition
from pg_constraint k
where k.conrelid = any (:relations::oid[])
  and k.contype = 'c'
order by k.conrelid, k.conname
