-- Extends claims, each named by its value and its token, as renew.sql extends one.
--
-- Parameters: pool_id; block_ids, places, tokens (one of each for a claim); owner (null: of any owner, or of none);
--   lease_millis (null: as each was claimed). Locks: the claims, in the order of their tokens, so that two calls with the
--   same claims wait for one another but do not deadlock. Returns the claims that are extended.
with locked as materialized (
  select claim.block_id, claim.place, claim.token
  from unnest(:block_ids::integer[], :places::bigint[], :tokens::bigint[]) as named (block_id, place, token)
  join mintmark.pool_claim as claim
    on claim.pool_id = :pool_id
    and claim.block_id = named.block_id
    and claim.place = named.place
    and claim.token = named.token
  where claim.slice_id is null
    and (:owner::text is null or claim.owner = :owner)
    and (claim.expires_at is null or claim.expires_at > clock_timestamp())
  order by claim.token
  for update of claim
)
update mintmark.pool_claim as renewed
set
  lease = case
    when renewed.expires_at is not null then coalesce(:lease_millis::bigint * interval '1 millisecond', renewed.lease)
  end,
  expires_at = case
    when renewed.expires_at is not null
    then greatest(
      renewed.expires_at,
      least(
        clock_timestamp() + coalesce(:lease_millis::bigint * interval '1 millisecond', renewed.lease),
        (
          select until
          from mintmark.pool_block
          join mintmark.pool_supply using (supply_id)
          where pool_block.block_id = renewed.block_id)))
  end
from locked
where renewed.pool_id = :pool_id
  and renewed.block_id = locked.block_id
  and renewed.place = locked.place
  and renewed.token = locked.token
  and (renewed.expires_at is null or renewed.expires_at > clock_timestamp())
returning
  renewed.client, renewed.slot, renewed.block_id, renewed.place, renewed.owner, renewed.token, renewed.claimed_at,
  renewed.expires_at, renewed.previous_end
