-- Reads the clock of the database. Parameters: none. Locks: none.
select clock_timestamp() as at
