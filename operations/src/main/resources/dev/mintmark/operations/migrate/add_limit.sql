-- Notes where the rollback of a migration ends.
--
-- Parameters: migration, ordinal (from 1), column, query, last. Locks: its row.
insert into mintmark.key_migration_limit (migration_id, ordinal, column_name, query, last)
values (:migration, :ordinal, :column, :query, :last)
