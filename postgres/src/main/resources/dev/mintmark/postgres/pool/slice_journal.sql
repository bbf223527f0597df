-- Records the grants of an instance: values of its slice become claims of clients. Nothing is recorded if the slice has
-- ended: then the grants have ended too, and their values rest.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); slice_id; arrays of one length: block_ids, places, tokens,
--   clients, slots, owners; claimed_at and expires_at (as texts; expires_at null: a lease from now); lease_millis.
-- Locks: the slice against its end; the claims.
-- Returns the tokens of the grants that are recorded, now or by the same statement before.
-- The slice of a row is compared by an expression, so that each row is found by its place and not among all of the slice.
-- Fails with 23505 if a client has another value in the slot.
with granted as materialized (
  select *
  from unnest(
      :block_ids::integer[],
      :places::bigint[],
      :tokens::bigint[],
      :clients::text[],
      :slots::integer[],
      :owners::text[],
      :claimed_at::text[],
      :expires_at::text[],
      :lease_millis::bigint[])
    as granted (block_id, place, token, client, slot, owner, claimed_at, expires_at, lease_millis)
),
slice as materialized (
  select slice_id
  from mintmark.pool_slice
  where slice_id = :slice_id
    and usable_until > clock_timestamp()
    and mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) in ('open', 'sliced')
  for key share
),
recorded as (
  update mintmark.pool_claim
  set
    client = granted.client,
    slot = granted.slot,
    owner = granted.owner,
    claimed_at = greatest(granted.claimed_at::timestamptz, pool_claim.claimed_at),
    lease = granted.lease_millis * interval '1 millisecond',
    expires_at = coalesce(
      granted.expires_at::timestamptz,
      clock_timestamp() + granted.lease_millis * interval '1 millisecond'),
    slice_id = null
  from granted
  cross join slice
  where pool_claim.pool_id = :pool_id
    and pool_claim.block_id = granted.block_id
    and pool_claim.place = granted.place
    and pool_claim.token = granted.token
    and coalesce(pool_claim.slice_id, 0) = slice.slice_id
  returning pool_claim.token, pool_claim.expires_at
)
select token, expires_at
from recorded
union all
select held.token, held.expires_at
from granted
join mintmark.pool_claim as held
  on held.pool_id = :pool_id
  and held.block_id = granted.block_id
  and held.place = granted.place
  and held.token = granted.token
where held.slice_id is null
