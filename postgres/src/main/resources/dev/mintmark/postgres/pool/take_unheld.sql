-- Takes every value of a pool that is not held, so that no other session can claim it, and counts the values that are
-- held. Waits for claims in progress, which the count of the next run shows. If a run sees nothing to take and nothing
-- held, no value is held and none can be claimed until the transaction ends: after lock_blocks.sql a claim needs a row
-- that is free or in quarantine, and a row that a claim in progress has locked or deleted is still seen here.
--
-- Parameters: pool_id. Locks: the rows. Returns how many rows it saw to take, and how many values are held.
with free as (
  delete from mintmark.pool_free where pool_id = :pool_id
),
in_quarantine as (
  delete from mintmark.pool_quarantine where pool_id = :pool_id
)
select
  (select count(*) from mintmark.pool_free where pool_id = :pool_id)
    + (select count(*) from mintmark.pool_quarantine where pool_id = :pool_id) as seen,
  (select count(*) from mintmark.pool_claim where pool_id = :pool_id) as held
