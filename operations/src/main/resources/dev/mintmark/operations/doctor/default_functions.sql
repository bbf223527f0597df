-- The functions, other than PostgreSQL's own, that defaults of the tables :relations, whose wholes
-- are :roots, call: how each is declared, its body, and the columns.
-- Locks: none, or ACCESS SHARE on what a body of SQL reads while it is written out.
select
  format('%I.%I', n.nspname, p.proname) as shown,
  p.oid::regprocedure as signature,
  p.provolatile as volatility,
  coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) as body,
  l.lanname in ('sql', 'plpgsql') and not exists (
    select
    from pg_depend e
    where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e'
  ) as has_readable_body,
  array_agg(distinct m.root || '.' || a.attname order by m.root || '.' || a.attname) as columns
from pg_depend d
join pg_attrdef v on v.oid = d.objid
join unnest(:relations::oid[], :roots::oid[]) as m (oid, root) on m.oid = v.adrelid
join pg_attribute a on a.attrelid = v.adrelid and a.attnum = v.adnum and a.attgenerated = ''
join pg_proc p on p.oid = d.refobjid
join pg_namespace n on n.oid = p.pronamespace
join pg_language l on l.oid = p.prolang
where d.classid = 'pg_attrdef'::regclass and d.refclassid = 'pg_proc'::regclass and n.nspname <> 'mintmark'
group by p.oid, n.oid, l.oid
order by 1
