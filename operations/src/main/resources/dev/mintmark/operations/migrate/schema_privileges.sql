-- What this role lacks to put a table back in its schema from one beside it, and to give a view in the table's place to the
-- owner of the table. That requires a privilege of the owner too, except from superusers.
--
-- Parameters: table (bigint). Locks: nothing.
with given as (
  select n.oid, n.nspname, c.relowner, c.oid::regclass::text as shown, present.oid as role, present.rolsuper
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_roles present on present.rolname = current_user
  where c.oid = :table::oid
)
select
  'this role may not create objects in it, and the table must return to it' as reason,
  format('grant create on schema %I', g.nspname) as remedy
from given g
where not (has_schema_privilege(g.oid, 'create') and has_database_privilege(current_database(), 'create'))
union all
select
  format('%I may not create objects in it, and owns the view that takes the place of %s', pg_get_userbyid(g.relowner), g.shown),
  format('grant create on schema %I to %I', g.nspname, pg_get_userbyid(g.relowner))
from given g
where not g.rolsuper
  and g.relowner <> g.role
  and not has_schema_privilege(g.relowner, g.oid, 'create')
