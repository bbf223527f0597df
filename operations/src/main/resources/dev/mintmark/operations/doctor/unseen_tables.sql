-- The tables of :tables whose values this role cannot read, or not all of them: why, and the statement after which it could.
-- Locks: none.
with seen as (
  select
    n.nspname,
    c.relname,
    c.oid,
    has_schema_privilege(n.oid, 'usage') as is_open,
    has_table_privilege(c.oid, 'select') or not exists (
      select
      from pg_attribute a
      where a.attrelid = c.oid
        and a.attnum > 0
        and not a.attisdropped
        and not has_column_privilege(c.oid, a.attnum, 'select')
    ) as is_readable
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.oid = any (:tables::oid[])
)
select
  nspname as schema,
  relname as name,
  format('%I.%I', nspname, relname) as shown,
  case
    when not is_open then 'this role has no USAGE on its schema'
    when not is_readable then 'this role has no SELECT on it'
    else 'row security would hide rows from this role'
  end as reason,
  case
    when not is_open and not is_readable
    then format('grant usage on schema %1$I to %3$I; grant select on %1$I.%2$I to %3$I', nspname, relname, current_user)
    when not is_open then format('grant usage on schema %I to %I', nspname, current_user)
    when not is_readable then format('grant select on %I.%I to %I', nspname, relname, current_user)
    else format('alter role %I bypassrls', current_user)
  end as remedy
from seen
where not is_open or not is_readable or row_security_active(oid)
order by 1, 2
