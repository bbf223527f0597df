-- Deletes the rows of all values of a deleted pool, its history and its usage. Parameters: pool_id. Locks: the rows; waits for
-- claims and releases in progress. The rows that those add are deleted by the next run. Returns how many rows of
-- values.
with free as (
  delete from mintmark.pool_free where pool_id = :pool_id returning 1
),
held as (
  delete from mintmark.pool_claim where pool_id = :pool_id returning 1
),
in_quarantine as (
  delete from mintmark.pool_quarantine where pool_id = :pool_id returning 1
),
past as (
  delete from mintmark.pool_history where pool_id = :pool_id
),
usage as (
  delete from mintmark.pool_usage where pool_id = :pool_id
)
select
  (select count(*) from free) + (select count(*) from held) + (select count(*) from in_quarantine) as deleted
