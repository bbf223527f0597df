-- Waits for releases in progress: the transaction of a caller that has released a value may claim it again. Statements
-- after this one see what became of the values.
--
-- Parameters: pool_id. Locks: the claims of the pool, against their end only, for the time of the statement. Returns how
-- many there are. A caller that releases several values in one transaction may be contended.
select count(*) as held
from (
  select
  from mintmark.pool_claim
  where pool_id = :pool_id
  order by token
  for key share
) as held
