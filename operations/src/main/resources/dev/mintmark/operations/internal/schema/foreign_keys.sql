-- The foreign keys of the tables :relations, or of all tables where that is null, each once: those of partitions belong to
-- the one of the whole. With the columns on both sides, in order, and the types under their types.
-- Parameters: relations (bigint[]). Locks: none.
with recursive derived (domain, base, modifier) as (
  select t.oid, t.typbasetype, t.typtypmod
  from pg_type t
  where t.typtype = 'd'
  union all
  select d.domain, t.typbasetype, case when d.modifier >= 0 then d.modifier else t.typtypmod end
  from derived d
  join pg_type t on t.oid = d.base
  where t.typtype = 'd'
),
-- Every type that a column can have, with the one under it.
resolved as materialized (
  select
    t.oid,
    case when b.typnamespace = 'pg_catalog'::regnamespace then b.typname::text else '' end as base,
    coalesce(d.modifier, -1) as modifier
  from pg_type t
  left join (
    select derived.*
    from derived
    join pg_type t on t.oid = derived.base
    where t.typtype <> 'd'
  ) d on d.domain = t.oid
  join pg_type b on b.oid = coalesce(d.base, t.oid)
)
select
  k.oid::bigint as oid,
  k.conname as name,
  k.convalidated as is_validated,
  k.confdeltype = 'd' or k.confupdtype = 'd' as sets_default,
  pg_get_constraintdef(k.oid) as definition,
  greatest(c.reltuples, 0)::bigint as rows,
  c.oid::bigint as referencing_oid,
  cn.nspname as referencing_schema,
  c.relname as referencing_name,
  format('%I.%I', cn.nspname, c.relname) as referencing_shown,
  c.relkind::text as referencing_kind,
  t.oid::bigint as referenced_oid,
  tn.nspname as referenced_schema,
  t.relname as referenced_name,
  format('%I.%I', tn.nspname, t.relname) as referenced_shown,
  t.relkind::text as referenced_kind,
  side.*
from pg_constraint k
join pg_class c on c.oid = k.conrelid
join pg_namespace cn on cn.oid = c.relnamespace
join pg_class t on t.oid = k.confrelid
join pg_namespace tn on tn.oid = t.relnamespace
cross join lateral (
  select
    array_agg(a.attnum::integer order by p.place) as numbers,
    array_agg(a.attname::text order by p.place) as names,
    array_agg(format('%I', a.attname) order by p.place) as shown,
    array_agg(ar.base order by p.place) as bases,
    array_agg(case when a.atttypmod >= 0 then a.atttypmod else ar.modifier end - 4 order by p.place) as lengths,
    array_agg(r.attnum::integer order by p.place) as referenced_numbers,
    array_agg(r.attname::text order by p.place) as referenced_names,
    array_agg(format('%I', r.attname) order by p.place) as referenced_columns_shown,
    array_agg(rr.base order by p.place) as referenced_bases,
    array_agg(case when r.atttypmod >= 0 then r.atttypmod else rr.modifier end - 4 order by p.place) as referenced_lengths
  from unnest(k.conkey, k.confkey) with ordinality as p (number, referenced_number, place)
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.number
  join resolved ar on ar.oid = a.atttypid
  join pg_attribute r on r.attrelid = k.confrelid and r.attnum = p.referenced_number
  join resolved rr on rr.oid = r.atttypid
) side
where k.contype = 'f'
  and k.conparentid = 0
  and (:relations::oid[] is null or k.conrelid = any (:relations::oid[]))
order by k.conrelid::regclass::text, k.conname
