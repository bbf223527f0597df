-- Makes the value that the source has given a block, before its block is added: changes no row if that is too late, because
-- the claim was given up, the database may have gone back, or much of the lease is over.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql, known before the source was asked); supply_id; value, token; at
--   (before the source was asked, by the clock here); kept_millis (how long the claim lasts from then on; null: for good).
-- Locks: the row.
update mintmark.pool_supply
set
  state = 'used',
  value = :value,
  token = :token,
  until = :at::timestamptz + :kept_millis::bigint * interval '1 millisecond',
  changed_at = clock_timestamp()
where supply_id = :supply_id
  and state = 'asked'
  and mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) = 'open'
  and (
    :kept_millis::bigint is null
    or clock_timestamp() < :at::timestamptz + :kept_millis::bigint / 2 * interval '1 millisecond')
