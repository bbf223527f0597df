-- What depends on the :objects of the schema :schema, as 'function ulid_text(uuid)', and is none of them.
with object as (
  select tableoid as class, oid,
    'function ' || quote_ident(proname) || '(' || oidvectortypes(proargtypes) || ')' as name
  from pg_proc
  where pronamespace = to_regnamespace(quote_ident(:schema))
  union all
  select tableoid, oid, 'sequence ' || quote_ident(relname)
  from pg_class
  where relnamespace = to_regnamespace(quote_ident(:schema))
    and relkind = 'S'
  union all
  select tableoid, oid, 'domain ' || quote_ident(typname)
  from pg_type
  where typnamespace = to_regnamespace(quote_ident(:schema))
    and typtype = 'd'
),
dropped as (
  select class, oid
  from object
  where name = any (:objects)
),
-- What goes with a domain: its constraints, and its arrays, which a column may be of.
part as (
  select class, oid from dropped
  union all
  select tableoid, oid from pg_constraint where contypid in (select oid from dropped)
  union all
  select pg_type.tableoid, typarray from pg_type where oid in (select oid from dropped) and typarray <> 0
)
select distinct pg_describe_object(classid, objid, objsubid)
from pg_depend
join part on refclassid = class and refobjid = part.oid
where (classid, objid) not in (select class, oid from part)
order by 1
