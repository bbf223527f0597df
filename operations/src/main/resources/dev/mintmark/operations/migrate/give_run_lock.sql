-- Undoes take_run_lock.
--
-- Parameters: none. Locks: gives back the advisory lock of the session.
select pg_advisory_unlock(1296649812, 'mintmark.key_migration'::regclass::oid::integer)
