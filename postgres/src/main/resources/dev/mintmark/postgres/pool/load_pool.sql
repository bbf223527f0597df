-- One pool with its settings. Parameters: name. Locks: none.
select
  pool_id,
  name,
  exclude,
  (extract(epoch from lease) * 1000)::bigint as lease_millis,
  (extract(epoch from quarantine) * 1000)::bigint as quarantine_millis,
  ipv6_prefix,
  ipv6_source
from mintmark.pool
where name = :name
