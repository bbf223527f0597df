-- Reads where the rollback of a migration ends.
--
-- Parameters: migration. Locks: nothing.
select
  column_name,
  query,
  last
from mintmark.key_migration_limit
where migration_id = :migration
order by ordinal
