-- Uses a block again that was drained because the pool had more than it needed: the one with the most values that have no
-- rows. It is drawn again from its beginning, as drain.sql does it.
--
-- Parameters: pool_id. Locks: the block, skipping locked ones; its supply. Returns how many values become free.
with spare as materialized (
  select supply_id
  from mintmark.pool_supply
  join mintmark.pool_block using (supply_id)
  where pool_supply.pool_id = :pool_id and state = 'used' and surplus and draining and removed_at is null
  group by supply_id
  order by sum(size - issued - withheld) desc
  limit 1
),
locked as materialized (
  select block_id, supply_id, size - issued - withheld as count
  from mintmark.pool_block
  join spare using (supply_id)
  where draining and removed_at is null
  for update of pool_block skip locked
),
used as (
  update mintmark.pool_block
  set draining = false, drawn = 0, version = version + 1
  where block_id = any (array(select block_id from locked))
),
kept as (
  update mintmark.pool_supply
  set surplus = false
  where supply_id = any (array(select supply_id from locked))
)
select least(sum(count), 1000000000000000)::bigint as free
from locked
having count(*) > 0
