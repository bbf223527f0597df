-- When the oldest transaction of this database began, and whether that can be told. No parameters. Locks: none.
-- Read before the page takes its snapshot, in a statement of its own: whoever commits in between is in neither else.
-- Autovacuum inserts no rows, so it does not count. Some are in a transaction without telling when it began: a session that has
-- turned track_activities on since, a replication connection that runs SQL, a background worker of an extension. They have an
-- xid or a snapshot then, or are idle in it. So does a walsender that streams, which inserts nothing.
select pg_is_in_recovery() as is_standby,
  current_setting('transaction_isolation') in ('read committed', 'read uncommitted') as is_read_committed,
  pg_has_role('pg_read_all_stats', 'usage') as sees_sessions,
  clock_timestamp() as read_at,
  least(now(), min(s.xact_start)) as oldest_start,
  count(*) filter (where s.state = 'disabled') as untracked,
  count(*) filter (
    where s.xact_start is null
      and (
        s.backend_xid is not null
        or s.backend_xmin is not null
        or s.state in ('idle in transaction', 'idle in transaction (aborted)')
      )
      and not exists (
        select
        from pg_catalog.pg_stat_replication r
        where r.pid = s.pid and r.state <> 'startup'
      )
  ) as silent
from pg_catalog.pg_database d
left join pg_catalog.pg_stat_activity s on s.datid = d.oid and s.backend_type is distinct from 'autovacuum worker'
where d.datname = current_database()
