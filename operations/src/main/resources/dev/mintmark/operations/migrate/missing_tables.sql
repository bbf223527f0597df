-- The tables of migrations that do not exist.
--
-- Parameters: none. Locks: nothing.
select 'mintmark.' || t.name as name
from (
  values
    ('key_migration'),
    ('key_migration_step'),
    ('key_migration_limit'),
    ('key_quarantine'),
    ('key_migration_wait')
) as t (name)
where not exists (
  select
  from pg_tables x
  where x.schemaname = 'mintmark'
    and x.tablename = t.name
)
