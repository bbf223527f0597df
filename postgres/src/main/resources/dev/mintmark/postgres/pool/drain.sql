-- Drains a block, or ends that: no value of a drained block is handed out. When draining ends, the block is drawn again
-- from its beginning; values that have a row are skipped. A block that its source does not have any more stays drained.
--
-- Parameters: pool_id; declared; draining. Locks: the block. Returns how many parts of the block changed.
with by_hand as (
  update mintmark.pool_supply
  set surplus = false
  where pool_id = :pool_id and value = :declared and surplus
)
update mintmark.pool_block
set draining = :draining, drawn = case when :draining then drawn else 0 end, version = version + 1
where pool_id = :pool_id and declared = :declared and removed_at is null and draining <> :draining
  and (:draining or not exists (
    select from mintmark.pool_supply
    where pool_supply.supply_id = pool_block.supply_id and state = 'lost'))
