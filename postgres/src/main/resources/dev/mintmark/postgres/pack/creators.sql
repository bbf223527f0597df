-- The roles that may create objects in the schema :schema, without its owner, the owner's members and superusers.
select case grantee when 0 then 'PUBLIC' else pg_get_userbyid(grantee) end
from pg_namespace
cross join aclexplode(coalesce(nspacl, acldefault('n', nspowner)))
where nspname = :schema
  and privilege_type = 'CREATE'
  and case grantee when 0 then true else not pg_has_role(grantee, nspowner, 'member') end
order by 1
