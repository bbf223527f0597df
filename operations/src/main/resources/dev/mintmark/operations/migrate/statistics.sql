-- An extended statistics object.
-- Parameters: oid. No locks.
select
  s.oid::bigint as oid,
  pg_get_statisticsobjdef(s.oid) as definition
from pg_statistic_ext s
where s.oid = :oid
