-- The triggers of the tables :relations that users made.
-- Parameters: relations (bigint[]). Locks: ACCESS SHARE on a table for as long as a condition of one of its triggers is
-- written out.
select
  t.tgrelid::bigint as relation,
  t.tgname as name,
  pg_get_triggerdef(t.oid) as definition,
  t.tgenabled::text as mode,
  (t.tgtype & 2) <> 0 and (t.tgtype & 1) <> 0 as is_before_row,
  (t.tgtype & 16) <> 0 as is_on_update,
  t.tgattr::text <> '' as is_of_columns,
  t.tgfoid::regprocedure::text as function,
  p.prosrc as body
from pg_trigger t
join pg_proc p on p.oid = t.tgfoid
where t.tgrelid = any (:relations::oid[])
  and not t.tgisinternal
order by t.tgrelid, t.tgname
