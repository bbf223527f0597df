-- Who could change what the tables of migrations contain, without having the rights of this role: a run executes their texts.
-- One row for each owner and each privilege. `runs_code` is true for a relation that runs code of its owner also when it is
-- only read, or paused. A role trusts the roles that it is a member of; a superuser is a member of all, which means nothing.
--
-- Parameters: none. Locks: nothing.
with present as (
  select rolname as name, rolsuper as is_superuser
  from pg_roles
  where rolname = current_user
),
relation as (
  select
    c.*,
    'table mintmark.' || c.relname as shown,
    c.relkind <> 'r'
      or c.relrowsecurity
      or exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as runs_code
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'mintmark'
    and c.relname in ('key_migration', 'key_migration_step', 'key_migration_limit', 'key_quarantine', 'key_migration_wait')
),
owned as (
  select 'schema mintmark' as shown, n.nspowner as owner, false as runs_code
  from pg_namespace n
  where n.nspname = 'mintmark'
  union all
  select r.shown, r.relowner, r.runs_code
  from relation r
),
granted as (
  select r.shown, r.relname, g.privilege_type as privilege, g.grantee
  from relation r
  cross join lateral aclexplode(r.relacl) g
  union
  select r.shown, r.relname, g.privilege_type, g.grantee
  from relation r
  join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  cross join lateral aclexplode(a.attacl) g
)
select o.shown || ' belongs to ' || quote_ident(pg_get_userbyid(o.owner)) as reason, o.runs_code
from owned o
cross join present p
where not pg_has_role(o.owner, p.name, 'member')
  and (p.is_superuser or not pg_has_role(o.owner, 'usage'))
union all
select
  case g.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end
    || ' has ' || g.privilege || ' on ' || g.shown,
  false
from granted g
cross join present p
where (
    g.privilege = 'TRIGGER'
    or (g.privilege in ('INSERT', 'UPDATE') and g.relname in ('key_migration_step', 'key_migration_limit'))
  )
  and case g.grantee when 0 then true else not pg_has_role(g.grantee, p.name, 'member') end
order by reason
