-- Sets the gate of a pool. Returns no row if the pool was deleted.
-- Parameters: pool_id; owners; share, rate_claims and rate_millis (null: not limited). Locks: the pool's row for key
--   share, and the row of its gate.
insert into mintmark.pool_gate (pool_id, owners, share, rate_claims, rate_millis)
select pool.pool_id, :owners::text[], :share::integer, :rate_claims::integer, :rate_millis::bigint
from mintmark.pool
where pool.pool_id = :pool_id
on conflict (pool_id) do update
set
  owners = excluded.owners,
  share = excluded.share,
  rate_claims = excluded.rate_claims,
  rate_millis = excluded.rate_millis
returning pool_id
