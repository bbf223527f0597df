-- Reads the settings of a pool. Parameters: name. Locks: none.
select
  pool_id,
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
  stopped_at,
  (extract(epoch from greatest(lease, longest_lease)) * 1000)::bigint as longest_lease_millis
from mintmark.pool
where name = :name
