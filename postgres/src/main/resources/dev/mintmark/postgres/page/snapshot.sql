-- Which transactions have ended, the identifier of the cluster, and where its history is: its timeline (hexadecimal) and the end
-- of its log. Parameters: with_history (if false, the history is null, and not read). Locks: none.
-- A standby knows the timeline of its last restart point, so a new one up to some minutes late; to roles with
-- pg_read_all_stats it reports the one that it receives, at once. The functions are not joined, because planning a join costs
-- more than the rest of the statement.
select pg_catalog.pg_is_in_recovery() as is_standby,
  pg_catalog.current_setting('transaction_isolation') operator(pg_catalog.=) any (array['read committed', 'read uncommitted']) as is_read_committed,
  pg_catalog.pg_current_snapshot()::text as snapshot,
  pg_catalog.pg_current_xact_id_if_assigned() is not null as has_written,
  (pg_catalog.pg_control_system()).system_identifier::text as cluster,
  case
    when wal.lsn is null then null
    when pg_catalog.pg_is_in_recovery() then pg_catalog.to_hex(
      greatest(
        (pg_catalog.pg_control_checkpoint()).timeline_id,
        (pg_catalog.pg_control_recovery()).min_recovery_end_timeline,
        (pg_catalog.pg_stat_get_wal_receiver()).received_tli
      )
    )
    else pg_catalog.substr(pg_catalog.pg_walfile_name(wal.lsn), 1, 8)
  end as timeline,
  pg_catalog.pg_wal_lsn_diff(wal.lsn, '0/0') as wal_position
from (
  select case
    when not :with_history then null
    when pg_catalog.pg_is_in_recovery() then pg_catalog.pg_last_wal_replay_lsn()
    else pg_catalog.pg_current_wal_flush_lsn()
  end as lsn
) wal
