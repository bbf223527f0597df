-- Writes down that what the source has given is no block, so that it may be released. Parameters: supply_id; value; token.
-- Locks: the row.
update mintmark.pool_supply
set state = 'returned', value = :value, token = :token, changed_at = clock_timestamp()
where supply_id = :supply_id and state = 'asked'
