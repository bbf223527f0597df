-- What others may do with a relation or with one of its columns (then `column_name` is set).
-- Parameters: oid. No locks.
select
  null::text as column_name,
  g.privilege_type as privilege,
  case g.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end as grantee,
  g.is_grantable as grantable
from pg_class c
cross join lateral aclexplode(c.relacl) g
where c.oid = :oid
  and g.grantee <> c.relowner
union all
select
  a.attname,
  g.privilege_type,
  case g.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end,
  g.is_grantable
from pg_attribute a
cross join lateral aclexplode(a.attacl) g
where a.attrelid = :oid
  and not a.attisdropped
order by 1 nulls first, 3, 2
