-- Reads the settings of a pool, and its gate; not of a copy that has not arrived. Parameters: name. Locks: none.
select
  pool.pool_id,
  name,
  value_order,
  per_client,
  per_owner,
  sticky,
  (extract(epoch from lease) * 1000)::bigint as lease_millis,
  (extract(epoch from quarantine) * 1000)::bigint as quarantine_millis,
  (extract(epoch from history) * 1000)::bigint as history_millis,
  ipv6_prefix,
  ipv6_source,
  after_failover,
  thresholds,
  stopped_at,
  moving_since is not null as moving,
  pool_source.source,
  pool_source.keep_free,
  pool_source.asked_at,
  (extract(epoch from greatest(lease, longest_lease)) * 1000)::bigint as longest_lease_millis,
  pool_gate.owners as gate_owners,
  pool_gate.share as gate_share,
  pool_gate.rate_claims as gate_rate_claims,
  pool_gate.rate_millis as gate_rate_millis
from mintmark.pool
left join mintmark.pool_gate on pool_gate.pool_id = pool.pool_id
left join mintmark.pool_source on pool_source.pool_id = pool.pool_id
where name = :name and not exists (
  select from mintmark.pool_arrival
  where pool_arrival.pool_id = pool.pool_id and arrived_at is null)
