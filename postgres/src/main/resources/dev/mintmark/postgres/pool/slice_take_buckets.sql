-- Takes buckets that no slice has, up to the share of one slice of those in force. The slices that have ended were
-- deleted before, in the same transaction.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); slice_id. Locks: the caller has locked the pool
-- (slice_lock.sql). Returns all buckets of the slice: those of an earlier statement too, whose answer may have been lost.
-- Returns none and takes none if the fence is closed, as slice_close.sql.
with slice as materialized (
  select slice_id
  from mintmark.pool_slice
  where slice_id = :slice_id
    and mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) in ('open', 'sliced')
),
live as materialized (
  select count(*) as slices
  from mintmark.pool_slice
  where pool_id = :pool_id
),
unowned as (
  select bucket
  from generate_series(0, 1023) as all_buckets (bucket)
  where bucket not in (select pool_bucket.bucket from mintmark.pool_bucket where pool_id = :pool_id)
  order by random()
  limit (
    select greatest(
      0,
      (1024 + slices - 1) / slices - (select count(*) from mintmark.pool_bucket where slice_id = :slice_id))
    from live
    where slices > 0)
),
taken as (
  insert into mintmark.pool_bucket (pool_id, bucket, slice_id)
  select :pool_id, bucket, slice_id
  from unowned
  cross join slice
  returning bucket
)
select bucket from taken
union all
select bucket from mintmark.pool_bucket join slice using (slice_id)
