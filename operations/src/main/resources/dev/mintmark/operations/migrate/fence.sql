-- Begins a transaction of a run: returns whether its session still holds the lock of take_run_lock, and whether the
-- migration was paused, and bounds the transaction.
--
-- Parameters: migration (null: pause or not does not matter yet), lock_timeout (such as 100ms; 0: none), batch (whether it
-- changes rows only: a crash of the server may undo it, though never that of this process, and the triggers that it fires
-- find what they find for others; else names are those that are written out), quiet (whether it fires no triggers but those
-- that always fire). Locks: nothing.
select
  exists (
    select
    from pg_catalog.pg_locks l
    where l.locktype = 'advisory'
      and l.pid = pg_backend_pid()
      and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())
      and l.classid = 1296649812
      and l.objid = 'mintmark.key_migration'::regclass
      and l.objsubid = 2
      and l.granted
  ) as is_held,
  coalesce(
    (select m.paused from mintmark.key_migration m where m.id = :migration::bigint),
    false
  ) as is_paused,
  set_config('lock_timeout', :lock_timeout, true),
  set_config(
    'synchronous_commit',
    case when :batch::boolean then 'off' else current_setting('synchronous_commit') end,
    true
  ),
  set_config(
    'search_path',
    case when :batch::boolean then current_setting('search_path') else 'pg_catalog' end,
    true
  ),
  case when :quiet::boolean then set_config('session_replication_role', 'replica', true) end
