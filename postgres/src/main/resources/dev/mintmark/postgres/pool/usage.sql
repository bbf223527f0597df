-- Reads how full a pool was, step by step: of each step the fullest minute, or hour before the hour of the first minute.
-- A step in which nothing was recorded has no row.
--
-- Parameters: pool_id; from; until (exclusive); step_millis; step_begins (when one of the steps begins). Locks: none.
select distinct on (step.begins_at)
  step.begins_at as at, held, quarantined, free, capacity
from mintmark.pool_usage
cross join (
  select date_trunc('hour', min(at)) as since
  from mintmark.pool_usage
  where pool_id = :pool_id and span = 'minute') as minutes
cross join lateral (
  select date_bin(:step_millis * interval '1 millisecond', at, :step_begins::timestamptz) as begins_at
) as step
where pool_id = :pool_id
  and at >= :from::timestamptz
  and at < :until::timestamptz
  and (span = 'minute' or minutes.since is null or at < minutes.since)
order by step.begins_at, free
