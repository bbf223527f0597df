-- The columns of the tables :relations, in their order: the type that each was declared with, and the type under it, which
-- of a domain is found through any number of domains; the length is the one declared nearest to the column. A shadow
-- column is the copy of another one that a migration keeps.
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
)
select
  a.attrelid::bigint as relation,
  a.attnum::integer as number,
  a.attname as name,
  format('%I', a.attname) as shown,
  format_type(a.atttypid, a.atttypmod) as declared_type,
  d.domain is not null as is_domain,
  b.typname as base_name,
  b.typnamespace = 'pg_catalog'::regnamespace as is_built_in,
  case when a.atttypmod >= 0 then a.atttypmod else coalesce(d.modifier, -1) end - 4 as length,
  coalesce(quote_ident(s.nspname) || '.' || quote_ident(l.collname), '') as collation,
  coalesce(l.collisdeterministic, true) as is_deterministic,
  a.attnotnull as is_not_null,
  (
    select k.conname
    from pg_constraint k
    where k.conrelid = a.attrelid
      and k.contype = 'n'
      and k.conkey = array[a.attnum]
  ) as not_null_name,
  a.attidentity::text as identity,
  a.attgenerated <> '' as is_generated,
  a.atthasdef as has_expression,
  has_column_privilege(a.attrelid, a.attnum, 'select') as is_readable,
  a.attname ~ '__(new|old)$'
    and exists (select from pg_trigger g where g.tgrelid = a.attrelid and g.tgname = 'zzz_mintmark_sync') as is_shadow,
  quote_literal(col_description(a.attrelid, a.attnum)) as comment,
  array_remove(
    array[
      case when a.attstattarget >= 0 then 'set statistics ' || a.attstattarget end,
      'set (' || array_to_string(a.attoptions, ', ') || ')'],
    null
  ) as settings
from pg_attribute a
left join (
  select derived.*
  from derived
  join pg_type t on t.oid = derived.base
  where t.typtype <> 'd'
) d on d.domain = a.atttypid
join pg_type b on b.oid = coalesce(d.base, a.atttypid)
left join pg_collation l on l.oid = a.attcollation
left join pg_namespace s on s.oid = l.collnamespace
where a.attrelid = any (:relations::oid[])
  and a.attnum > 0
  and not a.attisdropped
order by a.attrelid, a.attnum
