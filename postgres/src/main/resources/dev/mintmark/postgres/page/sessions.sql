-- When the oldest transaction of this database began, and whether all sessions report that. No parameters. Locks: none.
-- This must be a separate statement before the page takes its snapshot. Otherwise a transaction that commits in between is in
-- neither. Autovacuum inserts no rows, so it does not count. Some sessions in a transaction do not report its start: a session
-- that turned track_activities on after it, a replication connection that runs SQL, a background worker of an extension. Such a
-- session has an xid or a snapshot, or is idle in the transaction. A streaming walsender is excluded: it inserts no rows.
select pg_catalog.pg_is_in_recovery() as is_standby,
  pg_catalog.current_setting('transaction_isolation') operator(pg_catalog.=) any (array['read committed', 'read uncommitted']) as is_read_committed,
  pg_catalog.pg_has_role('pg_read_all_stats', 'usage') as sees_sessions,
  pg_catalog.clock_timestamp() as read_at,
  least(pg_catalog.now(), pg_catalog.min(s.xact_start)) as oldest_start,
  pg_catalog.count(*) filter (where s.state operator(pg_catalog.=) 'disabled') as untracked,
  pg_catalog.count(*) filter (
    where s.xact_start is null
      and (
        s.backend_xid is not null
        or s.backend_xmin is not null
        or s.state operator(pg_catalog.=) any (array['idle in transaction', 'idle in transaction (aborted)'])
      )
      and not exists (
        select
        from pg_catalog.pg_stat_replication r
        where r.pid operator(pg_catalog.=) s.pid and r.state operator(pg_catalog.<>) 'startup'
      )
  ) as unreported
from pg_catalog.pg_database d
left join pg_catalog.pg_stat_activity s on s.datid operator(pg_catalog.=) d.oid and coalesce(s.backend_type operator(pg_catalog.<>) 'autovacuum worker', true)
where d.datname operator(pg_catalog.=) pg_catalog.current_database()
