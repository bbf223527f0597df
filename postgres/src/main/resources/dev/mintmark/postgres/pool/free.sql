-- Returns free places of a block in ascending order, those that were never drawn too. It reads no more places than the
-- range has, and stops when it has found enough.
-- Parameters: pool_id; block_id; from and to (places; to is not included); limit. Locks: none.
select place.place
from pg_catalog.generate_series(:from::bigint, :to::bigint - 1) as place (place)
join mintmark.pool_block block on block.block_id = :block_id
where not block.draining
  and block.removed_at is null
  and not place.place <@ block.excluded_places
  and (
    select true from mintmark.pool_claim
    where pool_claim.pool_id = :pool_id and pool_claim.block_id = :block_id and pool_claim.place = place.place
    limit 1) is null
  and (
    select true from mintmark.pool_quarantine
    where pool_quarantine.pool_id = :pool_id
      and pool_quarantine.block_id = :block_id
      and pool_quarantine.place = place.place
    limit 1) is null
  and (
    block.not_before is null
    or block.not_before <= pg_catalog.now()
    or (
      select true from mintmark.pool_free
      where pool_free.pool_id = :pool_id and pool_free.block_id = :block_id and pool_free.place = place.place
      limit 1))
order by place.place
limit :limit
