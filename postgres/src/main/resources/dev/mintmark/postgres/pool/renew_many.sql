-- Extends the claims with some tokens, as renew.sql extends one.
--
-- Parameters: pool_id; tokens; lease_millis (null: as each was claimed). Locks: the claims, in the order of their tokens,
--   so that two calls with the same claims wait for one another but do not deadlock. Returns the claims that are extended.
with locked as materialized (
  select token
  from mintmark.pool_claim
  where pool_id = :pool_id
    and token = any (:tokens::bigint[])
    and slice_id is null
    and (expires_at is null or expires_at > now())
  order by token
  for update
)
update mintmark.pool_claim
set
  lease = coalesce(:lease_millis::bigint * interval '1 millisecond', lease),
  expires_at = greatest(expires_at, now() + coalesce(:lease_millis::bigint * interval '1 millisecond', lease))
where pool_id = :pool_id
  and token = any (array(select token from locked))
returning client, slot, block_id, place, owner, token, claimed_at, expires_at, previous_end
