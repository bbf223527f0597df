-- Removes a pool with its blocks and all its claims. Parameters: name. Locks: its rows in every pool table.
delete from mintmark.pool where name = :name
