-- Forgets to where a pool was moved, since it was deleted there. Parameters: name. Locks: the rows.
delete from mintmark.pool_departure where name = :name
