-- Creates a pool without blocks. Returns its pool_id, or no row if the name is taken.
-- Parameters: name; value_order; per_client; per_owner (null: no limit); sticky; lease_millis (null: until released);
--   quarantine_millis; history_millis (null: not kept); ipv6_prefix; ipv6_source; after_failover (null: the default);
--   thresholds.
-- Locks: the name, until the transaction ends.
insert into mintmark.pool (
  name, value_order, per_client, per_owner, sticky, lease, quarantine, history, ipv6_prefix, ipv6_source,
  after_failover, thresholds, epoch)
values (
  :name,
  :value_order,
  :per_client,
  :per_owner::integer,
  :sticky,
  :lease_millis::bigint * interval '1 millisecond',
  :quarantine_millis::bigint * interval '1 millisecond',
  :history_millis::bigint * interval '1 millisecond',
  :ipv6_prefix::cidr,
  :ipv6_source::text,
  :after_failover::text,
  :thresholds::integer[],
  (select epoch from mintmark.pool_epoch order by number desc limit 1))
on conflict (name) do nothing
returning pool_id
