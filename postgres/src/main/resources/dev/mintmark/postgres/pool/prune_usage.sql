-- Deletes the usage of minutes that are older than two days, and of hours that are older than 400 days: the minutes of
-- an hour at once, so that usage.sql reads either an hour or its minutes.
--
-- Parameters: pool_id (null: every pool); batch (the most rows of a pool and span).
-- Locks: the rows, skipping locked ones. Returns how many.
with old as materialized (
  select past.row_id
  from mintmark.pool
  cross join (values ('minute', interval '2 days'), ('hour', interval '400 days')) as kept (span, time)
  cross join lateral (
    select ctid as row_id
    from mintmark.pool_usage
    where pool_usage.pool_id = pool.pool_id and pool_usage.span = kept.span and at < date_trunc('hour', now() - kept.time)
    limit :batch
    for update skip locked
  ) as past
  where :pool_id::integer is null or pool.pool_id = :pool_id::integer
),
pruned as (
  delete from mintmark.pool_usage
  where ctid = any (array(select row_id from old))
  returning 1
)
select count(*) as pruned from pruned
