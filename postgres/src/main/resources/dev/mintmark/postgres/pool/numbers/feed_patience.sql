-- Limits how long the transaction waits for a lock: sessions that call nextval wait after it.
--
-- Parameters: lock_timeout (such as 100ms). Locks: none.
select set_config('lock_timeout', :lock_timeout, true)
