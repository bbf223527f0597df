-- Lets one run at a time make the tables of migrations. It is the lock under which the tables of pools are made: both make the
-- schema.
--
-- Parameters: none. Locks: an advisory lock until the transaction ends; waits for it.
select pg_catalog.pg_advisory_xact_lock(1835626100, 1)
