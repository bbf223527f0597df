-- Reads whether a program still has the name of a pool that it took. Parameters: name; holder. Locks: none.
select true as has_name from mintmark.pool_name where name = :name and holder = :holder::uuid
