-- Extends a claim from now by its lease. A claim whose lease has ended is not renewed, swept or not.
--
-- Parameters: pool_id; position; token; lease_millis (null: the pool's lease). Locks: the claim.
update mintmark.pool_claim
set expires_at = now() + coalesce(
  :lease_millis::bigint * interval '1 millisecond',
  (select lease from mintmark.pool where pool.pool_id = pool_claim.pool_id))
where pool_id = :pool_id
  and position = :position
  and token = :token
  and (expires_at is null or expires_at > now())
returning position, client, owner, token, claimed_at, expires_at
