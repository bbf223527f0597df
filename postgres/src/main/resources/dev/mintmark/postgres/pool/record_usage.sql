-- Records how full each pool is in this minute, unless it was done. The row of the hour becomes that of its fullest
-- minute: the one with the fewest free values.
--
-- Parameters: none. Locks: the new rows. Counts the rows of each pool, as blocks.sql does, at most once a minute.
with due as materialized (
  select pool.pool_id, minute.at
  from mintmark.pool
  cross join (select date_trunc('minute', now()) as at) as minute
  where pool.moving_since is null and not exists (
    select
    from mintmark.pool_usage done
    where done.pool_id = pool.pool_id and done.span = 'minute' and done.at = minute.at)
),
counted as materialized (
  select
    due.pool_id,
    due.at,
    coalesce(sum(held.count), 0) as held,
    coalesce(sum(in_quarantine.count + case when closed.yes and not draining then never.count else 0 end), 0) as quarantined,
    coalesce(
      sum(case when draining then 0 else free.count - free.excluded + case when closed.yes then 0 else never.count end end),
      0) as free,
    coalesce(sum(size::numeric - withheld), 0) as capacity
  from due
  left join mintmark.pool_block block on block.pool_id = due.pool_id and removed_at is null
  cross join lateral (
    select count(*), count(*) filter (where place <@ block.excluded_places) as excluded
    from mintmark.pool_free
    where pool_free.pool_id = due.pool_id and pool_free.block_id = block.block_id) as free
  cross join lateral (
    select count(*)
    from mintmark.pool_claim
    where pool_claim.pool_id = due.pool_id and pool_claim.block_id = block.block_id) as held
  cross join lateral (
    select count(*)
    from mintmark.pool_quarantine
    where pool_quarantine.pool_id = due.pool_id and pool_quarantine.block_id = block.block_id) as in_quarantine
  cross join lateral (select size - issued - withheld as count) as never
  cross join lateral (select coalesce(not_before > now(), false) as yes) as closed
  group by due.pool_id, due.at
),
minutes as (
  insert into mintmark.pool_usage (pool_id, span, at, held, quarantined, free, capacity)
  select pool_id, 'minute', at, held, quarantined, free, capacity
  from counted
  order by pool_id
  on conflict do nothing
)
insert into mintmark.pool_usage as fullest (pool_id, span, at, held, quarantined, free, capacity)
select pool_id, 'hour', date_trunc('hour', at), held, quarantined, free, capacity
from counted
order by pool_id
on conflict (pool_id, span, at) do update
set held = excluded.held, quarantined = excluded.quarantined, free = excluded.free, capacity = excluded.capacity
where excluded.free < fullest.free
