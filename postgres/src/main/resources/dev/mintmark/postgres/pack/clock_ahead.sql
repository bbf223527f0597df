-- The time of the sequence :clock if it is more than a day ahead of the server's clock. Its value has 45 bits of milliseconds,
-- then 18 bits of a counter.
with drawn as (
  select pg_sequence_last_value(oid) >> 18 as milliseconds
  from pg_class
  where oid = to_regclass(:clock)
    and relkind = 'S'
    and relpersistence = 'p'
    and has_sequence_privilege(oid, 'usage, select')
)
select milliseconds
from drawn
where milliseconds > extract(epoch from clock_timestamp() + interval '1 day') * 1000
