-- Adds a block, with none of its values issued. The values may have been held in a block that was removed.
-- Parameters: pool_id; declared; addresses or numbers (both null: a list); run_length (null: single numbers); excluded
--   (texts of blocks); size (how many values it hands out); seed.
-- Locks: the caller has locked the pool's row, or has just created it.
-- Fails with 23P01 if the block overlaps another block of the pool.
insert into mintmark.pool_block (pool_id, declared, addresses, numbers, run_length, excluded, size, seed, held_until)
values (
  :pool_id,
  :declared,
  :addresses::cidr,
  :numbers::int8range,
  :run_length::bigint,
  :excluded::text[],
  :size,
  :seed,
  (select max(held_until) from mintmark.pool_block where pool_id = :pool_id))
returning block_id
