-- The columns of a table, in their order: the type that each was declared with, and the built-in
-- type that it is made of, where it is made of one (a domain of its base, an enum of text), and whether it is generated.
--
-- table_name  quoted, with its schema or without
--
-- Needs no privilege on the table. Locks nothing.
with recursive resolved as (
  select
    attnum,
    attname,
    attgenerated,
    pg_catalog.format_type(atttypid, atttypmod) as declared_type,
    atttypid as type_id
  from pg_catalog.pg_attribute
  where attrelid = pg_catalog.to_regclass(:table_name)::oid
    and attnum > 0
    and not attisdropped
  union all
  select attnum, attname, attgenerated, declared_type, typbasetype
  from resolved
  join pg_catalog.pg_type on pg_type.oid = type_id
  where typtype = 'd'
)
select
  attname as name,
  declared_type,
  case
    when typtype = 'e' then 'text'
    when typnamespace = 'pg_catalog'::regnamespace::oid then typname::text
    else ''
  end as base_type,
  attgenerated <> '' as is_generated
from resolved
join pg_catalog.pg_type on pg_type.oid = type_id
where typtype <> 'd'
order by attnum
