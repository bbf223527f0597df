-- Some views and the views that depend on them, each once, in an order in which they can be created. `obstacle` says why
-- one cannot be created again; null if it can.
-- Parameters: oids (bigint[]). No locks.
with recursive dependent as (
  select v.oid, 0 as depth
  from unnest(:oids::bigint[]) as v (oid)
  union
  select r.ev_class::bigint, dependent.depth + 1
  from dependent
  join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = dependent.oid::oid
  join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid and r.rulename = '_RETURN' and r.ev_class <> dependent.oid::oid
)
select
  c.oid::bigint as oid,
  c.oid::regclass::text as name,
  c.relnamespace::regnamespace::text as schema,
  pg_get_viewdef(c.oid) as definition,
  c.reloptions as options,
  quote_ident(pg_get_userbyid(c.relowner)) as owner,
  quote_literal(obj_description(c.oid, 'pg_class')) as comment,
  array(
    select format('comment on column %s.%I is %L', c.oid::regclass, a.attname, d.description)
    from pg_description d
    join pg_attribute a on a.attrelid = d.objoid and a.attnum = d.objsubid
    where d.classoid = 'pg_class'::regclass
      and d.objoid = c.oid
      and d.objsubid > 0
    order by d.objsubid
  ) as column_comments,
  case
    when c.relkind = 'm' then 'a materialized view is filled again when it is created, which takes as long as its query'
    when c.relpersistence = 't' then 'it is temporary, and only its session can create it'
    when not pg_has_role(c.relowner, 'member') then 'it belongs to ' || quote_ident(pg_get_userbyid(c.relowner)) || ', of which this role is no member'
    when not has_schema_privilege(c.relnamespace, 'create') then 'this role may not create objects in schema ' || c.relnamespace::regnamespace
    -- A view is given only to a role that may create in its schema, except by superusers.
    when c.relowner <> present.oid
      and not present.rolsuper
      and not has_schema_privilege(c.relowner, c.relnamespace, 'create')
    then 'its owner ' || quote_ident(pg_get_userbyid(c.relowner)) || ' may not create objects in schema ' || c.relnamespace::regnamespace
    when exists (select from pg_trigger t where t.tgrelid = c.oid) then 'it has triggers'
    when (select count(*) from pg_rewrite r where r.ev_class = c.oid) > 1 then 'it has rules'
    when exists (select from pg_attrdef f where f.adrelid = c.oid) then 'its columns have defaults'
    -- Other views are created again as well; its row types are dropped with it.
    else (
      select min(pg_describe_object(d.classid, d.objid, d.objsubid)) || ' uses it'
      from pg_depend d
      where d.deptype <> 'i'
        and not exists (select from pg_rewrite r where d.classid = 'pg_rewrite'::regclass and r.oid = d.objid and r.rulename = '_RETURN')
        and (
          d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid
          or d.refclassid = 'pg_type'::regclass and d.refobjid in (c.reltype, (select y.typarray from pg_type y where y.oid = c.reltype))))
  end as obstacle,
  c.relkind = 'm' as materialized
from pg_class c
join (select oid, max(depth) as depth from dependent group by oid) ordered on ordered.oid = c.oid::bigint
join pg_roles present on present.rolname = current_user
order by ordered.depth, c.oid::regclass::text
