-- Reads the step that is run next, or goes on.
--
-- Parameters: migration, contracting (whether those of the contraction are run). Locks: nothing.
select
  s.*,
  (select count(*) from mintmark.key_migration_step n where n.migration_id = :migration) as steps
from mintmark.key_migration_step s
where s.migration_id = :migration
  and s.state in ('pending', 'doing')
  and (s.phase = 'contract') = :contracting::boolean
order by s.ordinal
limit 1
