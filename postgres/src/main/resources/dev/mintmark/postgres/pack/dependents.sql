-- The objects that depend on the :objects of the schema :schema and are not themselves among them. An element of :objects is
-- written 'function ulid_text(uuid)'. PostgreSQL does not know what the body of a function calls: those in the schema are
-- searched, which includes the triggers of a key migration.
with object as (
  select tableoid as class, oid,
    case prokind when 'a' then 'aggregate ' when 'p' then 'procedure ' else 'function ' end || quote_ident(proname) || '(' || oidvectortypes(proargtypes) || ')' as name
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
-- Parts of a domain are its constraints and its array type, which a column may have.
part as (
  select class, oid from dropped
  union all
  select tableoid, oid from pg_constraint where contypid in (select oid from dropped)
  union all
  select pg_type.tableoid, typarray from pg_type where oid in (select oid from dropped) and typarray <> 0
)
select pg_describe_object(classid, objid, objsubid)
from pg_depend
join part on refclassid = class and refobjid = part.oid
where (classid, objid) not in (select class, oid from part)
union
select pg_describe_object(caller.tableoid, caller.oid, 0)
from pg_proc caller
where caller.pronamespace = to_regnamespace(quote_ident(:schema))
  and (caller.tableoid, caller.oid) not in (select class, oid from dropped)
  and exists (
    select
    from dropped
    join pg_proc called on called.tableoid = dropped.class and called.oid = dropped.oid
    where position(quote_ident(:schema) || '.' || quote_ident(called.proname) || '(' in caller.prosrc) > 0)
order by 1
