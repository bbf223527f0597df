-- Changes the settings of a pool for new claims and releases. A claim that has the lease before may have a longer one,
-- for which a failover waits.
--
-- In another order the blocks are drawn again from their beginning: drawn counts other values then. Values that have a
-- row are skipped.
--
-- Parameters: pool_id; the others as in create_pool.sql. Locks: the pool's row; the blocks, if the order changes.
with redrawn as (
  update mintmark.pool_block
  set drawn = 0, version = version + 1
  from mintmark.pool
  where pool.pool_id = :pool_id
    and pool.value_order <> :value_order
    and pool_block.pool_id = :pool_id
    and pool_block.removed_at is null
)
update mintmark.pool
set
  value_order = :value_order,
  per_client = :per_client,
  per_owner = :per_owner::integer,
  sticky = :sticky,
  longest_lease = greatest(longest_lease, lease),
  lease = :lease_millis::bigint * interval '1 millisecond',
  quarantine = :quarantine_millis::bigint * interval '1 millisecond',
  history = :history_millis::bigint * interval '1 millisecond',
  ipv6_prefix = :ipv6_prefix::cidr,
  ipv6_source = :ipv6_source::text,
  after_failover = :after_failover::text,
  thresholds = :thresholds::integer[]
where pool_id = :pool_id
