-- Adds blocks in their order, with none of their values issued. The values may have been held in blocks that were
-- removed.
--
-- Parameters: pool_id; arrays with an element for each block: declared; addresses or numbers (both null: a list);
--   prefix_lengths (null: single addresses); run_lengths (null: single numbers); exclusions (texts of blocks, one a
--   line); excluded_places (their places, as text); sizes (how many places it has); seeds (in hexadecimal).
-- Locks: the caller has locked the pool's row, or has just created it.
-- Fails with 23P01 if a block overlaps another block of the pool.
insert into mintmark.pool_block (
  pool_id, declared, addresses, prefix_length, numbers, run_length, exclusions, excluded_places, withheld, size, seed,
  held_until)
select
  :pool_id,
  declared,
  addresses::cidr,
  prefix_length,
  numbers::int8range,
  run_length,
  string_to_array(exclusions, E'\n'),
  excluded_places::int8multirange,
  (
    select coalesce(sum(upper(places) - lower(places)), 0)
    from unnest(excluded_places::int8multirange) as excluded (places)),
  size,
  decode(seed, 'hex'),
  (select max(held_until) from mintmark.pool_block where pool_id = :pool_id)
from unnest(
    :declared::text[],
    :addresses::text[],
    :prefix_lengths::integer[],
    :numbers::text[],
    :run_lengths::bigint[],
    :exclusions::text[],
    :excluded_places::text[],
    :sizes::bigint[],
    :seeds::text[])
  with ordinality as added (
    declared, addresses, prefix_length, numbers, run_length, exclusions, excluded_places, size, seed, ordinal)
order by ordinal
returning block_id, declared
