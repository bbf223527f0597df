-- Takes an advisory lock until the transaction ends, if no other session has it. Parameters: none.
-- Locks: an advisory lock.
select pg_try_advisory_xact_lock(hashtext('mintmark.pool_requirements')) as taken
