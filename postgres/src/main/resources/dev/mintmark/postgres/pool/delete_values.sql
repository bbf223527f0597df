-- Removes the rows of all values of a pool that is no more, and its history. Parameters: pool_id. Locks: the rows, waiting
-- for claims and releases under way: what those make of a row is for the next run. Answers how many rows of values.
with free as (
  delete from mintmark.pool_free where pool_id = :pool_id returning 1
),
held as (
  delete from mintmark.pool_claim where pool_id = :pool_id returning 1
),
resting as (
  delete from mintmark.pool_quarantine where pool_id = :pool_id returning 1
),
past as (
  delete from mintmark.pool_history where pool_id = :pool_id
)
select
  (select count(*) from free) + (select count(*) from held) + (select count(*) from resting) as deleted
