-- Reads what has to be done before a pool may grant values in the latest epoch. A database that went back is not trusted.
-- A pool without an epoch was created by a version without them: it is not known what it went through.
--
-- Parameters: pool_id. Locks: the pool's row. Returns one row: the latest epoch; whether the pool is settled for it;
-- what is done if not (trust, quarantine or stop); for how long free values rest, for their claims that may be lost: the
-- longest lease that is known, and the quarantine; the time.
select
  latest.epoch,
  pool.epoch is not distinct from latest.epoch as settled,
  case
    when pool.epoch is null then 'trust'
    when pool.after_failover is null or (pool.after_failover = 'trust' and since.went_back)
    then case when pool.lease is null then 'stop' else 'quarantine' end
    else pool.after_failover
  end as conduct,
  (
    extract(epoch from
      greatest(
        pool.lease,
        pool.longest_lease,
        (select max(lease) from mintmark.pool_claim where pool_claim.pool_id = pool.pool_id))
      + pool.quarantine) * 1000)::bigint as rest_millis,
  clock_timestamp() as at
from mintmark.pool
cross join (select number, epoch from mintmark.pool_epoch order by number desc limit 1) as latest
cross join lateral (
  select coalesce(bool_or(pool_epoch.went_back), false) as went_back
  from mintmark.pool_epoch
  where number > (select settled.number from mintmark.pool_epoch settled where settled.epoch = pool.epoch)
) as since
where pool_id = :pool_id
for no key update of pool
