-- For how many seconds the session waits for a lock; 0: without a limit.
--
-- Parameters: none. Locks: none.
select extract(epoch from pg_catalog.current_setting('lock_timeout')::interval) as seconds
