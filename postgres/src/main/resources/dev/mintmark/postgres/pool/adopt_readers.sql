-- Lists the roles that may read a table, beside its owner; null: everybody. Parameters: table. Locks: none.
select distinct role.rolname as reader
from pg_class relation
cross join lateral aclexplode(relation.relacl) as granted
left join pg_roles role on role.oid = granted.grantee
where relation.oid = to_regclass(:table) and granted.privilege_type = 'SELECT' and granted.grantee <> relation.relowner
