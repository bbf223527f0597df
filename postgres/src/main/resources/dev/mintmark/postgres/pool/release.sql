-- Gives a value back: to quarantine, or to the free values where the pool has no quarantine.
--
-- Parameters: pool_id; block_id; place; token (of the claim that is given up: a later claim of the value stays);
--   used_until (until when it was used, if that is known to be before the end of its lease; null: it is not).
-- Locks: the claim. Answers one row if the claim was there, none otherwise; woke tells whether the pool had nothing to
--   hand out before, and has now.
with released as (
  delete from mintmark.pool_claim
  where pool_id = :pool_id and block_id = :block_id and place = :place and token = :token
  returning
    *,
    least(now(), expires_at) as ended_at,
    greatest(coalesce(least(expires_at, :used_until::timestamptz), now()), previous_end) as held_until
),
rested as (
  insert into mintmark.pool_quarantine (
    pool_id, block_id, place, until, last_client, last_slot, last_token, held_until)
  select
    released.pool_id, block_id, place, ended_at + pool.quarantine, client, slot, token, held_until
  from released
  join mintmark.pool using (pool_id)
  where pool.quarantine > interval '0'
),
freed as (
  insert into mintmark.pool_free (pool_id, block_id, place, last_client, last_slot, last_token, held_until)
  select released.pool_id, block_id, place, client, slot, token, held_until
  from released
  join mintmark.pool using (pool_id)
  where pool.quarantine = interval '0'
),
recorded as (
  insert into mintmark.pool_history (
    pool_id, block_id, place, client, slot, owner, token, claimed_at, ended_at, ending)
  select released.pool_id, block_id, place, client, slot, owner, token, claimed_at, ended_at,
    case when expires_at <= now() then 'expired' else 'released' end
  from released
  join mintmark.pool using (pool_id)
  where pool.history is not null
)
select
  ended_at + pool.quarantine as free_at,
  pool.quarantine = interval '0'
    and not (select draining from mintmark.pool_block where block_id = :block_id)
    and not exists (select from mintmark.pool_free where pool_id = :pool_id)
    and not exists (
      select from mintmark.pool_block
      where pool_id = :pool_id and issued < size and not draining and removed_at is null
        and (not_before is null or not_before <= now())) as woke
from released
join mintmark.pool using (pool_id)
