-- Notes that a migration has come as far as its run goes. If it was paused just now, there is nothing left to pause.
--
-- Parameters: migration, state, ended (whether it is over). Locks: the migration's row.
update mintmark.key_migration
set
  state = :state,
  paused = false,
  ended_at = case when :ended::boolean then now() end
where id = :migration
