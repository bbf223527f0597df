-- Counts the values of a pool that are held, whether their lease has ended or not. Parameters: pool_id. Locks: none.
select count(*) as held
from mintmark.pool_claim
where pool_id = :pool_id
