-- Asks what a role lacks to run a migration: the ownership of its tables, and the right to note its progress.
--
-- Parameters: tables. Locks: nothing.
select
  current_user::text as role,
  array(
    select t.name
    from unnest(:tables::text[]) with ordinality as t (name, place)
    join pg_catalog.pg_class c on c.oid = to_regclass(t.name)
    where not pg_has_role(c.relowner, 'usage')
    order by t.place
  ) as not_owned,
  array(
    select t.name
    from (
      values
        ('mintmark.key_migration'),
        ('mintmark.key_migration_step'),
        ('mintmark.key_migration_wait')
    ) as t (name)
    join pg_catalog.pg_class c on c.oid = to_regclass(t.name)
    where not has_table_privilege(c.oid, 'update')
  ) as not_written
