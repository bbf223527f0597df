-- The functions whose comment is the record of a drop-in, and whether their body is one of :bodies, as the server writes them.
-- Left out: the drop-ins of a pack in another schema.
with recorded as (
  select
    quote_ident(nspname) || '.' || quote_ident(proname) || '()' as function,
    coalesce(pg_get_function_sqlbody(pg_proc.oid), '') as body
  from pg_proc
  join pg_namespace on pg_namespace.oid = pronamespace
  where pronargs = 0
    and obj_description(pg_proc.oid, 'pg_proc') ~ '^-- Mintmark drop-in [12]: '
)
select function, body = any (:bodies) as is_in_place
from recorded
where body = any (:bodies)
  or body not like 'RETURN %.ulid_monotonic()%'
order by 1
