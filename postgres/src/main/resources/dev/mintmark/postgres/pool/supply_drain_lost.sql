-- Drains the blocks that the source does not have any more. Parameters: pool_id. Locks: the blocks, skipping locked ones:
-- until the next run, claims of their values end at once.
update mintmark.pool_block
set draining = true, version = version + 1
where block_id = any (array(
  select block_id
  from mintmark.pool_block
  join mintmark.pool_supply using (supply_id)
  where pool_supply.pool_id = :pool_id and state = 'lost' and not draining and removed_at is null
  for update of pool_block skip locked))
