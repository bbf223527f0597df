-- Reads the state of a value before it is claimed by name: its holder and its last client, whether it is
-- handed out, and which slots the client has filled.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); block_id; place; client. Locks: none.
select
  mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) as fence,
  block.version,
  block.draining or block.not_before > now() as closed,
  :place::bigint <@ block.excluded_places as excluded,
  held.client as holder,
  coalesce(held.expires_at <= now(), false) as ended,
  in_quarantine.until is not null as quarantined,
  coalesce(in_quarantine.until <= now(), false) as recovered,
  in_quarantine.last_client as last_client,
  array(
    select slot from mintmark.pool_claim
    where pool_id = :pool_id and client = :client
    order by slot
  ) as slots,
  exists (
    select from mintmark.pool_claim
    where pool_id = :pool_id and client = :client and expires_at <= now()
  ) as slot_ended
from mintmark.pool_block block
left join mintmark.pool_claim held
  on held.pool_id = :pool_id and held.block_id = block.block_id and held.place = :place
left join mintmark.pool_quarantine in_quarantine
  on in_quarantine.pool_id = :pool_id and in_quarantine.block_id = block.block_id and in_quarantine.place = :place
where block.block_id = :block_id and block.removed_at is null
