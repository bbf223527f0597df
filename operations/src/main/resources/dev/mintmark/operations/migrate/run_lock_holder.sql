-- Asks which session runs migrations of this database, if any does. What it is called only shows to those who may see it.
--
-- Parameters: none. Locks: nothing.
select
  l.pid,
  a.application_name,
  host(a.client_addr) as host
from pg_catalog.pg_locks l
left join pg_catalog.pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory'
  and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())
  and l.classid = 1296649812
  and l.objid = to_regclass('mintmark.key_migration')
  and l.objsubid = 2
  and l.granted
