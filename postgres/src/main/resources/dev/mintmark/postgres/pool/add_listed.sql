-- Stores the values of a list. Parameters: pool_id; block_id; values (in the order of their places).
-- Locks: none. Fails with 23505 if another list of the pool has one of them.
insert into mintmark.pool_listed (block_id, place, pool_id, value)
select :block_id, ordinal - 1, :pool_id, value
from unnest(:values::text[]) with ordinality as listed (value, ordinal)
