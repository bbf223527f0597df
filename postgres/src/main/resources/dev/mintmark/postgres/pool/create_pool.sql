-- Creates a pool without blocks. Answers its pool_id, or no row if the name is taken.
-- Parameters: name; exclude; lease_millis (null: until released); quarantine_millis; ipv6_prefix; ipv6_source.
-- Locks: the name, until the transaction ends.
insert into mintmark.pool (name, exclude, lease, quarantine, ipv6_prefix, ipv6_source)
values (
  :name,
  :exclude::text[],
  :lease_millis::bigint * interval '1 millisecond',
  :quarantine_millis::bigint * interval '1 millisecond',
  :ipv6_prefix::cidr,
  :ipv6_source::text)
on conflict (name) do nothing
returning pool_id
