-- Records what the source has answered: blocks whose claims it has renewed end later, and those of claims that it does not
-- have any more are lost. Nothing is recorded if the database may have gone back since the source was asked, or if that
-- was long ago: the end of a block would be set back.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql, known before the source was asked); at (before it was asked, by
--   the clock here); kept, kept_millis (the claims that were renewed, and for how long from then on; null: for good); lost;
--   alone_millis (when to ask again at the latest if the pool has no block; null: it need not); late_millis. Locks: the
--   claims, in their order; then the row of the source. Changes one row if it is recorded.
with fence as materialized (
  select true as is_open
  where mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) <> 'fenced'
    and clock_timestamp() < :at::timestamptz + :late_millis * interval '1 millisecond'
),
named as materialized (
  select supply.supply_id, kept.supply_id is not null as is_kept, kept.millis
  from mintmark.pool_supply supply
  left join unnest(:kept::bigint[], :kept_millis::bigint[]) as kept (supply_id, millis)
    on kept.supply_id = supply.supply_id
  where supply.pool_id = :pool_id
    and supply.state = 'used'
    and (kept.supply_id is not null or supply.supply_id = any (:lost::bigint[]))
    and (select is_open from fence)
  order by supply.supply_id
  for update of supply
),
changed as (
  update mintmark.pool_supply supply
  set
    state = case when is_kept then 'used' else 'lost' end,
    until = case
      when is_kept then :at::timestamptz + named.millis * interval '1 millisecond'
      else least(until, clock_timestamp())
    end,
    changed_at = clock_timestamp()
  from named
  where supply.supply_id = named.supply_id
  returning supply.supply_id, supply.state, supply.until
),
open as materialized (
  select case when changed.supply_id is null then supply.until else changed.until end as until
  from mintmark.pool_supply supply
  left join changed using (supply_id)
  where supply.pool_id = :pool_id
    and coalesce(changed.state, supply.state) = 'used'
    and exists (
      select from mintmark.pool_block
      where pool_block.supply_id = supply.supply_id and not draining and removed_at is null)
)
update mintmark.pool_source
set
  asked_at = :at::timestamptz,
  until = case
    when exists (select from open) then (select min(open.until) from open)
    else :at::timestamptz + :alone_millis::bigint * interval '1 millisecond'
  end
where pool_id = :pool_id and (select is_open from fence)
