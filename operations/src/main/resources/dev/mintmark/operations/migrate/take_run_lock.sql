-- Makes this session the one that runs migrations of this database, if none is, until it ends.
--
-- Parameters: none. Locks: an advisory lock of the session; does not wait for it.
select
  pg_backend_pid() as pid,
  pg_try_advisory_lock(1296649812, 'mintmark.key_migration'::regclass::oid::integer) as is_taken
