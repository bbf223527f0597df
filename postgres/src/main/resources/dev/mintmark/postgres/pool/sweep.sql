-- Moves on what is due, in one pool or in all: claims whose lease has ended go to quarantine, or straight to the
-- free values where the pool has none; values whose quarantine has ended go to the free values.
--
-- Parameters: pool_id (null: every pool); batch (rows of either sort moved in a pool at most).
-- Locks: the rows it moves, skipping locked ones, so that any number of sweepers may run.
with expired as materialized (
  select claim.pool_id, claim.position
  from mintmark.pool
  cross join lateral (
    select pool_id, position
    from mintmark.pool_claim
    where pool_claim.pool_id = pool.pool_id and expires_at <= now()
    limit :batch
    for update skip locked
  ) as claim
  where :pool_id::integer is null or pool.pool_id = :pool_id::integer
),
ended as (
  delete from mintmark.pool_claim
  using expired
  where pool_claim.pool_id = expired.pool_id and pool_claim.position = expired.position
  returning pool_claim.pool_id, pool_claim.position, pool_claim.expires_at
),
rested as (
  insert into mintmark.pool_quarantine (pool_id, position, until)
  select ended.pool_id, ended.position, ended.expires_at + pool.quarantine
  from ended
  join mintmark.pool using (pool_id)
  where pool.quarantine > interval '0'
),
due as materialized (
  select resting.pool_id, resting.position
  from mintmark.pool
  cross join lateral (
    select pool_id, position
    from mintmark.pool_quarantine
    where pool_quarantine.pool_id = pool.pool_id and until <= now()
    limit :batch
    for update skip locked
  ) as resting
  where :pool_id::integer is null or pool.pool_id = :pool_id::integer
),
recovered as (
  delete from mintmark.pool_quarantine
  using due
  where pool_quarantine.pool_id = due.pool_id and pool_quarantine.position = due.position
  returning pool_quarantine.pool_id, pool_quarantine.position
),
freed as (
  insert into mintmark.pool_free (pool_id, position)
  select pool_id, position
  from recovered
  union all
  select ended.pool_id, ended.position
  from ended
  join mintmark.pool using (pool_id)
  where pool.quarantine = interval '0'
  returning pool_id
)
select
  (select count(*) from ended) as ended,
  (select count(*) from freed) as freed
