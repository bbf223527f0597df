-- Gives a name back. Parameters: name; holder. Locks: the row of the name.
delete from mintmark.pool_name where name = :name and holder = :holder::uuid
