-- Claims once, in the transaction of the caller (V7__sql_claims.sql). Every name is qualified, since the search path is the
-- caller's.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); client; owner; lease_millis (null: the lease of the pool); slot;
--   block_id and place (of the named value; null: any value).
-- Locks: as pool_attempt, until the transaction of the caller ends; waits for each up to 2 s.
-- Returns one row, or none if the pool was deleted.
select
  joined.outcome,
  joined.any_free,
  joined.next_due,
  joined.at,
  (joined.held).client,
  (joined.held).slot,
  (joined.held).block_id,
  (joined.held).place,
  (joined.held).owner,
  (joined.held).token,
  (joined.held).claimed_at,
  (joined.held).expires_at,
  (joined.held).previous_end
from mintmark.pool_claim_joined(
  :pool_id::pg_catalog.int4,
  :epoch::pg_catalog.uuid,
  :seen_token::pg_catalog.int8,
  :client::pg_catalog.text,
  :owner::pg_catalog.text,
  :lease_millis::pg_catalog.int8,
  :slot::pg_catalog.int4,
  :block_id::pg_catalog.int4,
  :place::pg_catalog.int8) as joined
