-- The columns of a table, in their order: the type that each was declared with, and the built-in
-- type that it, or the element of its array, is made of, where it is made of one (a domain of its base, an enum of text),
-- the number of the declared type of the elements of an array, and whether it is generated.
--
-- table_name  quoted, with its schema or without
--
-- Needs no privilege on the table. Locks nothing.
with recursive types as (
  select
    composed.oid,
    composed.typname,
    composed.typnamespace,
    composed.typtype,
    composed.typbasetype,
    -- The element of a true array: int2vector and point have elements too.
    coalesce(element.oid, 0::oid) as element_id
  from pg_catalog.pg_type as composed
  left join pg_catalog.pg_type as element
    on element.oid = composed.typelem and element.typarray = composed.oid
),
resolved as (
  select
    attnum,
    attname,
    attgenerated,
    pg_catalog.format_type(atttypid, atttypmod) as declared_type,
    atttypid as type_id,
    0::oid as element_id
  from pg_catalog.pg_attribute
  where attrelid = pg_catalog.to_regclass(:table_name)::oid
    and attnum > 0
    and not attisdropped
  union all
  select
    attnum,
    attname,
    attgenerated,
    declared_type,
    case typtype when 'd' then typbasetype else types.element_id end,
    case typtype when 'd' then resolved.element_id else types.element_id end
  from resolved
  join types on types.oid = type_id
  where typtype = 'd' or (types.element_id <> 0::oid and resolved.element_id = 0::oid)
)
select
  attname as name,
  declared_type,
  case
    when typtype = 'e' then 'text'
    when typnamespace = 'pg_catalog'::regnamespace::oid then typname::text
    else ''
  end as base_type,
  resolved.element_id::bigint as element_id,
  attgenerated <> '' as is_generated
from resolved
join types on types.oid = type_id
where typtype <> 'd' and (types.element_id = 0::oid or resolved.element_id <> 0::oid)
order by attnum
