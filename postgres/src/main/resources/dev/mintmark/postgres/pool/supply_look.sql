-- Looks what is to be done for a pool that gets its blocks from another one.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); stale_millis (after which a claim was given up that the source
--   was asked for). Locks: none. Returns one row, or none if the pool was deleted.
--
-- at: the time, read before the source is asked. asked_millis: how long ago the source was asked; null: never, or the
-- clock has stepped back. is_known: false after a failover, until it was asked. blocks: how many there are, drained ones too.
-- free: the values that can be claimed, but not more than keep_free, where those with rows are concerned. Blocks that rest
-- after a failover do not count: others help meanwhile.
select
  clock_timestamp() as at,
  mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) as fence,
  case
    when source.asked_at <= clock_timestamp() then (extract(epoch from clock_timestamp() - source.asked_at) * 1000)::bigint
  end as asked_millis,
  source.until is distinct from '-infinity' as is_known,
  source.keep_free,
  never.blocks,
  never.count + idle.count as free,
  exists (
    select from mintmark.pool_supply
    where pool_id = :pool_id and state = 'asked'
      and changed_at < clock_timestamp() - :stale_millis * interval '1 millisecond') as has_stale,
  exists (select from mintmark.pool_supply where pool_id = :pool_id and state = 'lost') as has_lost,
  exists (select from mintmark.pool_supply where pool_id = :pool_id and state = 'returned') as has_returned,
  exists (
    select from mintmark.pool_block
    where pool_id = :pool_id and draining and issued = 0 and removed_at is null and supply_id is not null) as has_empty
from mintmark.pool_source source
cross join lateral (
  select
    count(distinct supply_id) as blocks,
    least(
      coalesce(
        sum(size - issued - withheld)
          filter (where not draining and (not_before is null or not_before <= clock_timestamp())),
        0),
      1000000000000000)::bigint as count
  from mintmark.pool_block
  where pool_id = :pool_id and removed_at is null
) as never
cross join lateral (
  select count(*)
  from (
    select
    from mintmark.pool_free
    join mintmark.pool_block using (block_id)
    where pool_free.pool_id = :pool_id and not draining and not place <@ excluded_places
    limit greatest(source.keep_free - never.count, 0)
  ) as found
) as idle
where source.pool_id = :pool_id
