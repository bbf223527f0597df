-- Asks for which session the creation of an index waits. What it is called only shows to those who may see it.
--
-- Parameters: pid (of the run). Locks: nothing.
select
  p.current_locker_pid as pid,
  coalesce(nullif(a.application_name, ''), a.backend_type, 'of another role') as application_name,
  coalesce(a.xact_start, s.query_start, clock_timestamp()) as since_at
from pg_catalog.pg_stat_progress_create_index p
left join pg_catalog.pg_stat_activity a on a.pid = p.current_locker_pid
left join pg_catalog.pg_stat_activity s on s.pid = p.pid
where p.pid = :pid
  and p.datname = current_database()
  and p.current_locker_pid <> 0
