-- Settles pools for the latest epoch without anything being done with their values. Parameters: all (whether also those
-- that were settled for an earlier one; otherwise only those that a version without epochs created, which are trusted
-- else). Locks: the rows of these pools; the caller has locked the epochs (lock_epochs.sql). Which blocks those still have
-- that come from another pool is asked again (settle_pool.sql).
with source as (
  update mintmark.pool_source
  set until = '-infinity'
  where :all
)
update mintmark.pool
set epoch = (select epoch from mintmark.pool_epoch order by number desc limit 1)
where epoch is null
  -- A pool that was not settled for the epoch before the latest one must still be settled for that.
  or :all and epoch = (select epoch from mintmark.pool_epoch order by number desc limit 1 offset 1)
