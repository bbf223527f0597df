-- Forgets what the source does not have any more, or did not give. Parameters: supply_id; state. Locks: the row.
delete from mintmark.pool_supply
where supply_id = :supply_id and state = :state
