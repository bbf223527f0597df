-- Deletes a pool with its blocks and its history. Parameters: pool_id. Locks: its rows.
-- Rows that claims in progress add meanwhile are deleted by delete_values.sql.
delete from mintmark.pool where pool_id = :pool_id
