-- Notes why a run waits. A wait that goes on keeps its beginning.
--
-- Parameters: migration, ordinal, reason, waited_millis. Locks: the row of the wait, and the migration's key.
insert into mintmark.key_migration_wait as w (migration_id, ordinal, reason, since_at, noted_at)
values (
  :migration,
  :ordinal,
  :reason,
  clock_timestamp() - :waited_millis * interval '1 millisecond',
  clock_timestamp()
)
on conflict (migration_id) do update
set
  ordinal = excluded.ordinal,
  reason = excluded.reason,
  since_at = excluded.since_at,
  noted_at = excluded.noted_at
