-- A text for each of the tables :relations that changes when its rows are stored elsewhere, or when something that depends
-- on it or on a view over it is created or dropped.
-- Parameters: relations (bigint[]). Locks: none.
with recursive dependent as (
  select r.oid as relation, r.oid
  from unnest(:relations::bigint[]) as r (oid)
  union
  select dependent.relation, r.ev_class::bigint
  from dependent
  join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = dependent.oid::oid
  join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
)
select
  c.oid::bigint as oid,
  format('%I.%I', n.nspname, c.relname) as shown,
  md5(
    concat_ws(
      ' ',
      c.relfilenode,
      (
        select string_agg(concat_ws(' ', d.classid, d.objid, d.objsubid, d.refobjid, d.refobjsubid), ',' order by d.classid, d.objid, d.objsubid, d.refobjid, d.refobjsubid)
        from dependent
        join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = dependent.oid::oid
        where dependent.relation = c.oid::bigint
      )
    )
  ) as state
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.oid = any (:relations::oid[])
