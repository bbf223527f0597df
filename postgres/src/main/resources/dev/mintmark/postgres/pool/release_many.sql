-- Releases the claims with some tokens, as release.sql releases one.
--
-- Parameters: pool_id; tokens. Locks: the claims, in the order of their tokens, so that two calls with the same claims
--   wait for one another but do not deadlock. Returns a row for each claim that was released; woke: whether the pool had
--   nothing to hand out before, and has its value now.
with named as materialized (
  select token
  from mintmark.pool_claim
  where pool_id = :pool_id
    and token = any (:tokens::bigint[])
    and slice_id is null
  order by token
  for update
),
locked as (
  delete from mintmark.pool_claim
  where pool_id = :pool_id
    and token = any (array(select token from named))
  returning *, clock_timestamp() as at
),
released as materialized (
  select
    locked.*,
    least(at, expires_at) as ended_at,
    greatest(coalesce(expires_at, at), previous_end) as held_until
  from locked
),
given as (
  select
    released.*,
    greatest(ended_at + pool.quarantine, not_before) as free_at,
    pool.quarantine > interval '0' or coalesce(not_before > now(), false) as has_quarantine,
    coalesce(not_before > now(), false) as closed,
    pool.history is not null as kept,
    draining or place <@ excluded_places as withdrawn
  from released
  join mintmark.pool using (pool_id)
  join mintmark.pool_block using (pool_id, block_id)
),
quarantined as (
  insert into mintmark.pool_quarantine (
    pool_id, block_id, place, until, last_client, last_slot, last_token, held_until)
  select
    pool_id, block_id, place, free_at,
    case when not closed then client end, case when not closed then slot end, token, held_until
  from given
  where has_quarantine
),
freed as (
  insert into mintmark.pool_free (pool_id, block_id, place, last_client, last_slot, last_token, held_until)
  select pool_id, block_id, place, client, slot, token, held_until
  from given
  where not has_quarantine
),
recorded as (
  insert into mintmark.pool_history (
    pool_id, block_id, place, client, slot, owner, token, claimed_at, ended_at, ending)
  select pool_id, block_id, place, client, slot, owner, token, claimed_at, ended_at,
    case when expires_at <= at then 'expired' else 'released' end
  from given
  where kept
)
select
  token,
  free_at,
  not has_quarantine
    and not withdrawn
    and not exists (select from mintmark.pool_free where pool_id = :pool_id)
    and not exists (
      select from mintmark.pool_block
      where pool_id = :pool_id and issued + withheld < size and not draining and removed_at is null
        and (not_before is null or not_before <= now())) as woke
from given
