-- Limits how long each statement of the transaction waits for a lock; then it fails with 55P03.
-- Returns for how many seconds a statement may run at all; 0: without a limit.
--
-- Parameters: millis (text). Locks: none.
select
  pg_catalog.set_config('lock_timeout', :millis, true) as lock_timeout,
  extract(epoch from pg_catalog.current_setting('statement_timeout')::interval) as statement_seconds
