-- What takes or returns rows of the tables :relations: functions, columns of their types. Views do not count.
-- Parameters: relations (bigint[]). Locks: none.
select
  c.oid::bigint as relation,
  pg_describe_object(d.classid, d.objid, d.objsubid) as description
from pg_class c
join pg_type y on y.oid = c.reltype
join pg_depend d on d.refclassid = 'pg_type'::regclass and d.refobjid in (y.oid, y.typarray)
where c.oid = any (:relations::oid[])
  and d.deptype <> 'i'
  and d.classid <> 'pg_rewrite'::regclass
order by relation, description
