-- Begins a transaction of a run: returns whether its session still holds the lock of take_run_lock, and whether the
-- migration was paused, bounds the transaction, and sets what SqlSettings lists.
--
-- Parameters: migration (null: pause or not does not matter yet), lock_timeout (such as 100ms; 0: none), batch (whether it
-- changes rows only: a crash of the server may undo it, though never that of this process), quiet (whether it fires no
-- triggers but those that always fire), names and values (of settings). Locks: nothing.
select
  exists (
    select
    from pg_catalog.pg_locks l
    where l.locktype = 'advisory'
      and l.pid = pg_catalog.pg_backend_pid()
      and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database())
      and l.classid = 1296649812
      and l.objid = 'mintmark.key_migration'::regclass
      and l.objsubid = 2
      and l.granted
  ) as is_held,
  coalesce(
    (select m.paused from mintmark.key_migration m where m.id = :migration::bigint),
    false
  ) as is_paused,
  pg_catalog.set_config('lock_timeout', :lock_timeout, true),
  pg_catalog.set_config(
    'synchronous_commit',
    case when :batch::boolean then 'off' else pg_catalog.current_setting('synchronous_commit') end,
    true
  ),
  case when :quiet::boolean then pg_catalog.set_config('session_replication_role', 'replica', true) end,
  (
    select pg_catalog.count(pg_catalog.set_config(s.name, s.value, true))
    from rows from (pg_catalog.unnest(:names::text[]), pg_catalog.unnest(:values::text[])) as s (name, value)
  ) as settings
