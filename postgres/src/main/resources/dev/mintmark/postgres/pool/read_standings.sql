-- Returns what is in the way of a claim of some values. Parameters: pool_id; blocks and places (arrays of one length, in
-- the order of the values). Locks: none.
select
  asked.ordinal,
  case when held.expires_at is null or held.expires_at > now() then held.client end as holder,
  in_quarantine.until,
  in_quarantine.last_client,
  coalesce(block.draining or block.not_before > now(), false) as closed,
  asked.place <@ block.excluded_places as excluded
from unnest(:blocks::integer[], :places::bigint[]) with ordinality as asked (block_id, place, ordinal)
join mintmark.pool_block block on block.block_id = asked.block_id and block.removed_at is null
left join mintmark.pool_claim held
  on held.pool_id = :pool_id and held.block_id = asked.block_id and held.place = asked.place
left join mintmark.pool_quarantine in_quarantine
  on in_quarantine.pool_id = :pool_id
  and in_quarantine.block_id = asked.block_id
  and in_quarantine.place = asked.place
