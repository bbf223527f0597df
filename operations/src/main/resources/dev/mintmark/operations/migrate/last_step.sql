-- Reads the step that is undone next.
--
-- Parameters: migration. Locks: nothing.
select
  s.*,
  (select count(*) from mintmark.key_migration_step n where n.migration_id = :migration) as steps
from mintmark.key_migration_step s
where s.migration_id = :migration
  and s.state in ('doing', 'done')
order by s.ordinal desc
limit 1
