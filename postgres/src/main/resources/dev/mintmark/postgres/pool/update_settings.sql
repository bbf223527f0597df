-- Changes the settings of a pool that new claims and releases go by, where they differ.
-- Parameters: pool_id; lease_millis (null: until released); quarantine_millis; ipv6_prefix; ipv6_source.
-- Locks: the pool's row.
update mintmark.pool
set
  lease = :lease_millis::bigint * interval '1 millisecond',
  quarantine = :quarantine_millis::bigint * interval '1 millisecond',
  ipv6_prefix = :ipv6_prefix::cidr,
  ipv6_source = :ipv6_source::text
where pool_id = :pool_id
  and (lease, quarantine, ipv6_prefix, ipv6_source) is distinct from (
    :lease_millis::bigint * interval '1 millisecond',
    :quarantine_millis::bigint * interval '1 millisecond',
    :ipv6_prefix::cidr,
    :ipv6_source::text)
