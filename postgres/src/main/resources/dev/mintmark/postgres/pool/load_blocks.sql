-- The blocks of a pool in the order of their positions. Parameters: pool_id. Locks: none.
select
  first_position,
  size,
  addresses::text as addresses,
  lower(numbers) as first_number,
  upper(numbers) - 1 as last_number
from mintmark.pool_block
where pool_id = :pool_id
order by first_position
