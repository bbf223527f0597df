-- Which transactions have ended, and the identifier of the cluster. No parameters. Locks: none.
select pg_catalog.pg_is_in_recovery() as is_standby,
  pg_catalog.current_setting('transaction_isolation') in ('read committed', 'read uncommitted') as is_read_committed,
  pg_catalog.pg_current_snapshot()::text as snapshot,
  pg_catalog.pg_current_xact_id_if_assigned() is not null as has_written,
  (select system_identifier::text from pg_catalog.pg_control_system()) as cluster
