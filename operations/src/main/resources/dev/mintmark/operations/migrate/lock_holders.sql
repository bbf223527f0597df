-- Asks which sessions hold locks on tables that keep others from theirs, those first whose transaction is oldest.
--
-- Parameters: tables, modes (of each, the lock that is wanted, as in TableLock.Mode; ROWS: rows of it). Locks: nothing.
with
  wanted as (
    select
      w.name,
      to_regclass(w.name) as relation,
      w.mode
    from unnest(:tables::text[], :modes::text[]) as w (name, mode)
  ),
  -- PostgreSQL manual, table 13.2.
  conflict (wanted, held) as (
    values
      ('ROWS', array['RowShareLock', 'RowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']),
      ('ACCESS_SHARE', array['AccessExclusiveLock']),
      ('ROW_EXCLUSIVE', array['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']),
      (
        'SHARE_UPDATE_EXCLUSIVE',
        array['ShareUpdateExclusiveLock', 'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']
      ),
      (
        'SHARE_ROW_EXCLUSIVE',
        array[
          'RowExclusiveLock', 'ShareUpdateExclusiveLock', 'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock',
          'AccessExclusiveLock'
        ]
      ),
      (
        'ACCESS_EXCLUSIVE',
        array[
          'AccessShareLock', 'RowShareLock', 'RowExclusiveLock', 'ShareUpdateExclusiveLock', 'ShareLock',
          'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'
        ]
      )
  )
select distinct
  w.name as relation,
  coalesce(l.pid::text, 'a prepared transaction') as pid,
  coalesce(nullif(a.application_name, ''), a.backend_type, 'of another role') as application_name,
  date_trunc('second', a.xact_start)::text as since
from wanted w
join conflict c on c.wanted = w.mode
join pg_catalog.pg_locks l on l.relation = w.relation and l.mode = any (c.held)
left join pg_catalog.pg_stat_activity a on a.pid = l.pid
where l.locktype = 'relation'
  and l.granted
  and l.pid is distinct from pg_backend_pid()
  and l.database in (0, (select d.oid from pg_catalog.pg_database d where d.datname = current_database()))
order by since nulls last, pid
limit 3
