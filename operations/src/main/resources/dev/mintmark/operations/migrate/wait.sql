-- Reads why the run of a migration waits, if it noted that.
--
-- Parameters: migration. Locks: nothing.
select
  w.ordinal,
  w.reason,
  w.since_at
from mintmark.key_migration_wait w
join mintmark.key_migration m on m.id = w.migration_id
where w.migration_id = :migration
  and w.noted_at >= m.run_at
