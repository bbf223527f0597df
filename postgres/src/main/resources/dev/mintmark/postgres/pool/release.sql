-- Gives a value back: to quarantine, or to the free values where the pool has no quarantine.
--
-- Parameters: pool_id; position; token (of the claim that is given up: a later claim of the value stays).
-- Locks: the claim. Answers one row if the claim was there, none otherwise.
with released as (
  delete from mintmark.pool_claim
  where pool_id = :pool_id and position = :position and token = :token
  returning pool_id, position, least(now(), expires_at) as held_until
),
rested as (
  insert into mintmark.pool_quarantine (pool_id, position, until)
  select released.pool_id, released.position, released.held_until + pool.quarantine
  from released
  join mintmark.pool using (pool_id)
  where pool.quarantine > interval '0'
),
freed as (
  insert into mintmark.pool_free (pool_id, position)
  select released.pool_id, released.position
  from released
  join mintmark.pool using (pool_id)
  where pool.quarantine = interval '0'
)
select released.held_until + pool.quarantine as free_at
from released
join mintmark.pool using (pool_id)
