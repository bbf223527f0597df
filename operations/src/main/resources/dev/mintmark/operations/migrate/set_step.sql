-- Notes how far a step is.
--
-- Parameters: migration, ordinal, state, cursor (where its next batch begins; null at the start and at the end), rows (that
-- the present batch looked at). Locks: the step's row.
update mintmark.key_migration_step
set
  state = :state::text,
  cursor = :cursor::text[],
  rows_done = rows_done + :rows::bigint,
  started_at = coalesce(started_at, pg_catalog.clock_timestamp()),
  done_at = case when :state::text in ('done', 'undone') then pg_catalog.clock_timestamp() end
where migration_id = :migration::bigint
  and ordinal = :ordinal::integer
