-- A table and its columns among the given ones: one row for each. Parameters: table (its quoted name); columns;
-- unique_within (columns; is_unique is true if a unique index contains only such columns). Locks: none.
with recursive
part (oid) as (
  select to_regclass(:table)::oid
  union
  select i.inhrelid
  from pg_catalog.pg_inherits i
  join part on part.oid = i.inhparent
),
whole (oid) as (
  select to_regclass(:table)::oid
  union
  select i.inhparent
  from pg_catalog.pg_inherits i
  join whole on whole.oid = i.inhrelid
)
select format('%I.%I.%I', current_database(), n.nspname, c.relname) as resolved,
  c.relkind as kind,
  -- the index of a table does not contain the rows of tables that inherit from it
  (c.relkind = 'p' or (select count(*) from part) = 1) and exists (
    select
    from pg_catalog.pg_index i
    where i.indrelid = c.oid
      and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
      and not exists (
        select
        from unnest((i.indkey::int2[])[0 : i.indnkeyatts - 1], i.indcollation::oid[], i.indclass::oid[])
          k (attnum, collated_by, class)
        join pg_catalog.pg_attribute ka on ka.attrelid = c.oid and ka.attnum = k.attnum
        join pg_catalog.pg_opclass o on o.oid = k.class
        -- the index must have the same equality as the order
        where ka.attname <> all (:unique_within::text[])
          or k.collated_by <> ka.attcollation
          or not o.opcdefault
      )
  ) as is_unique,
  exists (
    select
    from part
    join pg_catalog.pg_class pc on pc.oid = part.oid
    where pc.relkind = 'f'
  ) as has_foreign_parts,
  exists (
    select
    from (select oid from part union select oid from whole) family
    join pg_catalog.pg_subscription_rel s on s.srrelid = family.oid
  ) as is_subscribed,
  (select count(*) from pg_catalog.pg_prepared_xacts p where p.database = current_database()) as prepared,
  a.attname as name,
  -- without the length or the scale: a cast to varchar(4) would cut "acmeX" to "acme"
  format_type(b.oid, -1) as type,
  case when b.typtype = 'e' then 'enum' else b.typname end as base_type,
  a.attnotnull and not exists (
    -- from 18 on a not-null constraint can exist before the existing rows are validated
    select
    from pg_catalog.pg_constraint nn
    where nn.conrelid = c.oid and nn.contype = 'n' and not nn.convalidated and nn.conkey = array[a.attnum]
  ) as not_null,
  (
    select array_agg(distinct coalesce(pg_get_expr(d.adbin, d.adrelid), '') || case when pa.attgenerated = '' then '' else ' (generated)' end)
    from part
    join pg_catalog.pg_attribute pa on pa.attrelid = part.oid and pa.attname = a.attname
    left join pg_catalog.pg_attrdef d on d.adrelid = pa.attrelid and d.adnum = pa.attnum
    where a.attname is not null
  ) as defaults
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_attribute a
  on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname = any (:columns::text[])
left join lateral (
  -- a domain can be over a domain
  with recursive resolved (oid) as (
    select a.atttypid
    union all
    select t.typbasetype
    from resolved
    join pg_catalog.pg_type t on t.oid = resolved.oid
    where t.typtype = 'd'
  )
  select t.oid, t.typtype, t.typname
  from resolved
  join pg_catalog.pg_type t on t.oid = resolved.oid
  where t.typtype <> 'd'
) b on true
where c.oid = to_regclass(:table)
