-- Adds a block, with none of its values issued. The values may have been held in a block that was removed.
-- Parameters: pool_id; declared; addresses or numbers (both null: a list); run_length (null: single numbers);
--   exclusions (texts of blocks); excluded_places (their places; as text, since drivers have no type for it); size (how
--   many places it has); seed.
-- Locks: the caller has locked the pool's row, or has just created it.
-- Fails with 23P01 if the block overlaps another block of the pool.
insert into mintmark.pool_block (
  pool_id, declared, addresses, numbers, run_length, exclusions, excluded_places, withheld, size, seed, held_until)
values (
  :pool_id,
  :declared,
  :addresses::cidr,
  :numbers::int8range,
  :run_length::bigint,
  :exclusions::text[],
  :excluded_places::int8multirange,
  (
    select coalesce(sum(upper(places) - lower(places)), 0)
    from unnest(:excluded_places::int8multirange) as excluded (places)),
  :size,
  :seed,
  (select max(held_until) from mintmark.pool_block where pool_id = :pool_id))
returning block_id
