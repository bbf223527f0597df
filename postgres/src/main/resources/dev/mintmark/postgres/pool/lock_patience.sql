-- Limits how long each statement of the transaction waits for a lock; then it fails with 55P03.
-- Parameters: millis (text). Locks: none.
select pg_catalog.set_config('lock_timeout', :millis, true)
