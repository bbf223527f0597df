-- What draws from a sequence besides the column that owns it, as the server describes it.
-- Parameters: sequence (bigint). Locks: none.
select pg_describe_object(d.classid, d.objid, d.objsubid) as description
from pg_depend d
where d.refclassid = 'pg_class'::regclass
  and d.refobjid = :sequence::oid
  and d.classid <> 'pg_class'::regclass
order by description
