-- Deletes claims from the history that ended before the time that their pool keeps, or before a given time.
--
-- Parameters: pool_id (null: every pool); before (null: as the pools say); batch (the most rows of a pool).
-- Locks: the rows, skipping locked ones. Returns how many.
with old as materialized (
  select ended.row_id
  from mintmark.pool
  cross join lateral (
    select ctid as row_id
    from mintmark.pool_history
    where pool_history.pool_id = pool.pool_id
      and ended_at < coalesce(:before::timestamptz, now() - coalesce(pool.history, interval '0'))
    limit :batch
    for update skip locked
  ) as ended
  where :pool_id::integer is null or pool.pool_id = :pool_id::integer
),
pruned as (
  delete from mintmark.pool_history
  where ctid = any (array(select row_id from old))
  returning 1
)
select count(*) as pruned from pruned
