-- Counts the values that owners hold. Parameters: pool_id; owners. Locks: none.
select owner, count(*) as held
from mintmark.pool_claim
where pool_id = :pool_id
  and owner = any (:owners::text[])
  and (expires_at is null or expires_at > clock_timestamp())
group by owner
