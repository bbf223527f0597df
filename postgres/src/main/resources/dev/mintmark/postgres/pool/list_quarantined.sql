-- Lists quarantined values in the order of their blocks and values. Parameters: pool_id; after_block and after_place (the
-- page starts after that value); limit. Locks: none.
select block_id, place, until
from mintmark.pool_quarantine
where pool_id = :pool_id
  and (block_id, place) > (:after_block, :after_place)
order by block_id, place
limit :limit
