-- Locks the rows of all values of a pool that leaves, of which nothing is granted any more (pool_fence). It waits for claims,
-- releases and sweeps in progress, whose new rows only the next run sees: run it until all that were issued are
-- locked. Parameters: pool_id. Returns how many rows it has locked, and how many values were issued. Locks: those rows; the
-- caller has locked the blocks.
select
  (select count(*) from (
    select from mintmark.pool_claim where pool_id = :pool_id order by block_id, place for update) as held)
  + (select count(*) from (
    select from mintmark.pool_quarantine where pool_id = :pool_id order by block_id, place for update) as in_quarantine)
  + (select count(*) from (
    select from mintmark.pool_free where pool_id = :pool_id order by block_id, place for update) as free) as locked,
  (select coalesce(sum(issued), 0)::bigint from mintmark.pool_block where pool_id = :pool_id) as issued
