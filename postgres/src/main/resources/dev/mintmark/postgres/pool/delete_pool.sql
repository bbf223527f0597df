-- Removes a pool with its blocks and its history. Parameters: pool_id. Locks: its rows.
-- What claims leave behind that are under way meanwhile goes with delete_values.sql.
delete from mintmark.pool where pool_id = :pool_id
