-- Reads the load of a server besides a run: how far behind its standbys are (how long the last record took that came
-- back from one, and what all have replayed), how old the oldest transaction is that keeps rows from being cleaned away, and
-- how much write-ahead log there is.
--
-- Parameters: none. Locks: nothing.
select
  pg_has_role('pg_read_all_stats', 'usage') as sees_all,
  coalesce((select extract(epoch from max(r.replay_lag)) from pg_catalog.pg_stat_replication r), 0)
    as replica_lag_seconds,
  (select min(pg_wal_lsn_diff(r.replay_lsn, '0/0')) from pg_catalog.pg_stat_replication r)::bigint as replayed_bytes,
  coalesce(oldest.seconds, 0) as transaction_age_seconds,
  oldest.pid as transaction_pid,
  oldest.application_name as transaction_application,
  case when pg_is_in_recovery() then 0 else pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') end::bigint as wal_bytes
from (select) as one
left join (
  select
    a.pid::text as pid,
    a.application_name,
    extract(epoch from clock_timestamp() - a.xact_start) as seconds
  from pg_catalog.pg_stat_activity a
  where a.datname = current_database()
    and a.pid <> pg_backend_pid()
    and a.backend_type = 'client backend'
    and (a.backend_xmin is not null or a.backend_xid is not null)
    and not exists (select from pg_catalog.pg_stat_progress_vacuum v where v.pid = a.pid)
  union all
  select
    'prepared',
    p.gid,
    extract(epoch from clock_timestamp() - p.prepared)
  from pg_catalog.pg_prepared_xacts p
  where p.database = current_database()
  order by seconds desc
  limit 1
) as oldest on true
