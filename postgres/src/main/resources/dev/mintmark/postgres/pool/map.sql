-- Returns the state of every value in a range of places of a block, one letter each, in order: f free, h held, q
-- quarantined, d draining, x excluded. Parameters: pool_id; block_id; from and to (places; to is not included).
-- Locks: none.
select coalesce(string_agg(
  case
    when pool_claim.place is not null then 'h'
    when pool_quarantine.place is not null then 'q'
    when place.place <@ block.excluded_places and pool_free.place is null then 'x'
    when block.draining or place.place <@ block.excluded_places then 'd'
    when pool_free.place is null and block.not_before > now() then 'q'
    else 'f'
  end, '' order by place.place), '') as states
from generate_series(:from::bigint, :to::bigint - 1) as place (place)
join mintmark.pool_block block on block.block_id = :block_id
left join mintmark.pool_free
  on pool_free.pool_id = :pool_id and pool_free.block_id = :block_id and pool_free.place = place.place
left join mintmark.pool_claim
  on pool_claim.pool_id = :pool_id and pool_claim.block_id = :block_id and pool_claim.place = place.place
left join mintmark.pool_quarantine
  on pool_quarantine.pool_id = :pool_id and pool_quarantine.block_id = :block_id and pool_quarantine.place = place.place
