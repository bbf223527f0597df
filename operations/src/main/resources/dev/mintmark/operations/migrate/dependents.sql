-- What else depends on columns of the tables :relations: everything but their own defaults, indexes, constraints, triggers
-- and sequences.
-- Views are named by their oid; 'expressions' are statistics of some; a function, a policy and so on are named by the server's description.
-- Parameters: relations (bigint[]). Locks: none.
select distinct
  d.refobjid::bigint as relation,
  d.refobjsubid as number,
  case d.classid
    when 'pg_rewrite'::regclass then
      case when exists (select from pg_rewrite r where r.oid = d.objid and r.rulename = '_RETURN') then 'view' else 'other' end
    when 'pg_statistic_ext'::regclass then
      case when exists (select from pg_statistic_ext x where x.oid = d.objid and x.stxexprs is not null) then 'expressions' else 'statistics' end
    else 'other'
  end as kind,
  case d.classid
    when 'pg_rewrite'::regclass then (select r.ev_class::bigint from pg_rewrite r where r.oid = d.objid)
    else d.objid::bigint
  end as oid,
  coalesce(
    (
      select 'generated column ' || f.adrelid::regclass::text || '.' || a.attname
      from pg_attrdef f
      join pg_attribute a on a.attrelid = f.adrelid and a.attnum = f.adnum
      where d.classid = 'pg_attrdef'::regclass
        and f.oid = d.objid
    ),
    pg_describe_object(d.classid, d.objid, d.objsubid)
  ) as description
from pg_depend d
where d.refclassid = 'pg_class'::regclass
  and d.refobjid = any (:relations::oid[])
  and d.refobjsubid > 0
  and not (d.classid = 'pg_class'::regclass and exists (select from pg_class x where x.oid = d.objid and x.relkind in ('i', 'I', 'S')))
  and d.classid not in ('pg_constraint'::regclass, 'pg_trigger'::regclass)
  and not (
    d.classid = 'pg_attrdef'::regclass
    and exists (
      select
      from pg_attrdef f
      join pg_attribute a on a.attrelid = f.adrelid and a.attnum = f.adnum
      where f.oid = d.objid
        and f.adrelid = d.refobjid
        and f.adnum = d.refobjsubid))
order by relation, number, kind, description
