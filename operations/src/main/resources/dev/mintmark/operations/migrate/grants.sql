-- What others may do with the relations :relations or with one of their columns (then `column_name` is set).
-- Parameters: relations (bigint[]). Locks: none.
select
  c.oid::bigint as relation,
  null::text as column_name,
  g.privilege_type as privilege,
  case g.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end as grantee,
  g.is_grantable as grantable
from pg_class c
cross join lateral aclexplode(c.relacl) g
where c.oid = any (:relations::oid[])
  and g.grantee <> c.relowner
union all
select
  a.attrelid::bigint,
  a.attname,
  g.privilege_type,
  case g.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end,
  g.is_grantable
from pg_attribute a
cross join lateral aclexplode(a.attacl) g
where a.attrelid = any (:relations::oid[])
  and not a.attisdropped
order by 1, 2 nulls first, 4, 3
