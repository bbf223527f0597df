-- Draws ids for blocks that arrive, in ascending order. Parameters: count. Locks: none.
select nextval(pg_get_serial_sequence('mintmark.pool_block', 'block_id'))::integer as block_id
from generate_series(1, :count)
