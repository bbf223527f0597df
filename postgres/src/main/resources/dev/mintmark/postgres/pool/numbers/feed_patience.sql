-- Bounds how long the rest of the transaction waits for a lock: those who draw numbers wait behind it.
--
-- Parameters: lock_timeout (such as 100ms). Locks: nothing.
select set_config('lock_timeout', :lock_timeout, true)
