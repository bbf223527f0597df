-- Counts the constraints by which the database refuses blocks of a pool that overlap. Parameters: none. Locks: none.
select count(*) as present
from pg_constraint
where conrelid = 'mintmark.pool_block'::regclass
  and conname in ('pool_block_addresses_overlap', 'pool_block_numbers_overlap')
  and contype = 'x'
  and convalidated
