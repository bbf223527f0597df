-- Locks the epochs until the transaction ends, so that one session at a time begins one. Parameters: none.
-- Locks: an advisory lock.
select pg_advisory_xact_lock(hashtext('mintmark.pool_epoch'))
