-- Notes how far a step is.
--
-- Parameters: migration, ordinal, state, cursor (where its next batch begins; null at the start and at the end), rows (that
-- the present batch looked at). Locks: the step's row.
update mintmark.key_migration_step
set
  state = :state,
  cursor = :cursor::text[],
  rows_done = rows_done + :rows::bigint,
  started_at = coalesce(started_at, clock_timestamp()),
  done_at = case when :state in ('done', 'undone') then clock_timestamp() end
where migration_id = :migration
  and ordinal = :ordinal
