-- The functions that are called :name in any schema, with their parameters and results.
select pg_proc.oid::regprocedure || ' returns ' || coalesce(pg_get_function_result(pg_proc.oid), 'nothing')
from pg_proc
where proname = :name
order by 1
