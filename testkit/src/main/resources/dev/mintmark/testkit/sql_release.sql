-- Releases a value by the function of SQL. Parameters: pool; value; token. Locks: as the function.
select outcome from mintmark.release_value(:pool, :value, :token)
