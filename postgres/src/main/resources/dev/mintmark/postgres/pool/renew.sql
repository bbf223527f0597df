-- Extends a claim from now, by a new lease or by the lease it was claimed with. A claim whose lease has ended is not
-- renewed, whether it was swept or not. The end never moves to an earlier time, even if the clock has stepped back, nor
-- beyond the end of the block, and a claim without an end gets none.
--
-- Parameters: pool_id; block_id; place; token; lease_millis (null: as it was claimed). Locks: the claim.
update mintmark.pool_claim
set
  lease = case when expires_at is not null then coalesce(:lease_millis::bigint * interval '1 millisecond', lease) end,
  expires_at = case
    when expires_at is not null
    then greatest(
      expires_at,
      least(
        clock_timestamp() + coalesce(:lease_millis::bigint * interval '1 millisecond', lease),
        (
          select until
          from mintmark.pool_block
          join mintmark.pool_supply using (supply_id)
          where pool_block.block_id = pool_claim.block_id)))
  end
where pool_id = :pool_id
  and block_id = :block_id
  and place = :place
  and token = :token
  and slice_id is null
  and (expires_at is null or expires_at > clock_timestamp())
returning client, slot, block_id, place, owner, token, claimed_at, expires_at, previous_end
