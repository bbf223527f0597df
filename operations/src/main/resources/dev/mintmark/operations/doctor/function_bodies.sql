-- The functions of users in SQL and PL/pgSQL with their bodies, for those that a default calls through another
-- function. Left out: system schemas, our own schema and what extensions own.
-- Locks: none, or ACCESS SHARE on what a body of SQL reads while it is written out.
select
  n.nspname as schema,
  p.proname as name,
  format('%I.%I', n.nspname, p.proname) as shown,
  coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) as body
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
join pg_language l on l.oid = p.prolang
where l.lanname in ('sql', 'plpgsql')
  and n.nspname not in ('information_schema', 'mintmark')
  and n.nspname !~ '^pg_'
  and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype, 'void'::regtype)
  and not exists (
    select
    from pg_depend e
    where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e'
  )
order by 1, 2
