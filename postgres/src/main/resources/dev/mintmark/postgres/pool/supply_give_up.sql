-- Gives up what the source was asked for by a program that has not said what came of it: it was killed. If an epoch has begun
-- since, the value may have been a block, and claims of it are lost: it rests as long as those may last, which is for ever
-- if claims have no end.
--
-- Parameters: pool_id; stale_millis. Locks: the rows.
update mintmark.pool_supply
set state = 'returned', changed_at = clock_timestamp()
from mintmark.pool
cross join (select epoch, began_at from mintmark.pool_epoch order by number desc limit 1) as latest
where pool_supply.pool_id = :pool_id
  and pool.pool_id = pool_supply.pool_id
  and state = 'asked'
  and changed_at < clock_timestamp() - :stale_millis * interval '1 millisecond'
  and (
    pool_supply.epoch = latest.epoch
    or latest.began_at + (select greatest(lease, longest_lease) + quarantine where lease is not null) < clock_timestamp())
