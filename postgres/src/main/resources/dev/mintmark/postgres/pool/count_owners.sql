-- Counts the values that owners hold, and those of them whose lease has ended: a renewal may still extend them until they
-- are swept. Parameters: pool_id; owners. Locks: none.
select owner, count(*) as held, count(*) filter (where expires_at <= clock_timestamp()) as ended
from mintmark.pool_claim
where pool_id = :pool_id and owner = any (:owners::text[])
group by owner
