-- Looks at what an instance has to do for others: how many slices are in force, how many values the other ones lack, and
-- which of its values are not handed out any more, because their block is drained or closed, or they are excluded.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); slice_id. Locks: none. Returns one row; in_force: whether the
-- slice has not ended, and the fence is not closed.
select
  exists (select from mintmark.pool_slice where slice_id = :slice_id and usable_until > clock_timestamp())
    and mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) in ('open', 'sliced') as in_force,
  (select count(*) from mintmark.pool_slice where pool_id = :pool_id and usable_until > now()) as slices,
  (
    select coalesce(sum(lacking), 0) from mintmark.pool_slice
    where pool_id = :pool_id and usable_until > now() and slice_id <> :slice_id) as lacking,
  array(
    select pool_claim.token
    from mintmark.pool_block
    join mintmark.pool_claim using (pool_id, block_id)
    where pool_block.pool_id = :pool_id
      and (draining or not_before > now() or not isempty(excluded_places))
      and slice_id = :slice_id
      and (draining or not_before > now() or place <@ excluded_places)) as withdrawn
