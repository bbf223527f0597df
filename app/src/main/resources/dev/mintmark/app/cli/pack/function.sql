-- The function without parameters of the name ?, its result, and whether it returns a set.
select
  pg_catalog.format('%I.%I()', nspname, proname) as call,
  pg_catalog.format_type(prorettype, null) as type,
  proretset as is_set
from pg_catalog.pg_proc
join pg_catalog.pg_namespace on pg_namespace.oid operator(pg_catalog.=) pronamespace
where pg_proc.oid operator(pg_catalog.=) pg_catalog.to_regprocedure(?)
