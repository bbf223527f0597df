-- Quarantines every free value until its block is open again. Parameters: pool_id. Locks: the free rows; waits for
-- claims in progress. Returns how many.
with moved as (
  delete from mintmark.pool_free
  where pool_id = :pool_id
  returning *
),
quarantined as (
  insert into mintmark.pool_quarantine (pool_id, block_id, place, until, held_until)
  select moved.pool_id, block_id, place, coalesce(not_before, now()), moved.held_until
  from moved
  join mintmark.pool_block using (block_id)
)
select count(*) as moved from moved
