-- Lets every value rest that nobody holds, those never issued too, and leaves none to its last client: for a database
-- that was set back to an earlier state, where a value that looks free may have been given to somebody since. Tokens
-- go on far beyond any that may have been drawn since.
--
-- Parameters: pool_id; millis. Locks: the blocks and the free and resting rows. Answers how many rows were moved.
with moved as (
  delete from mintmark.pool_free
  where pool_id = :pool_id
  returning *
),
rested as (
  insert into mintmark.pool_quarantine (pool_id, block_id, place, until, held_until)
  select pool_id, block_id, place, now() + :millis * interval '1 millisecond', held_until
  from moved
),
prolonged as (
  update mintmark.pool_quarantine
  set
    until = greatest(until, now() + :millis * interval '1 millisecond'),
    last_client = null,
    last_slot = null
  where pool_id = :pool_id
),
closed as (
  update mintmark.pool_block
  set not_before = greatest(not_before, now() + :millis * interval '1 millisecond')
  where pool_id = :pool_id and removed_at is null
)
select
  (select count(*) from moved) as moved,
  setval('mintmark.pool_token', (select last_value from mintmark.pool_token) + 1000000000000) as token
