-- Binds a block that was just added to its supply, and the pool to the end of the block. Parameters: pool_id; supply_id;
-- declared; was_used (whether its values may have been claimed elsewhere, up to now). Locks: the block; the row of the
-- source. Changes one row.
with block as (
  update mintmark.pool_block
  set supply_id = :supply_id, held_until = case when :was_used then clock_timestamp() end
  where pool_id = :pool_id and declared = :declared and removed_at is null
)
update mintmark.pool_source
set until = least(until, (select until from mintmark.pool_supply where supply_id = :supply_id))
where pool_id = :pool_id
