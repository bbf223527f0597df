-- The columns of a table, in its order.
-- Parameters: oid. No locks.
select
  a.attnum::integer as number,
  a.attname as name,
  format_type(a.atttypid, a.atttypmod) as type,
  a.atttypid::regtype::text as base_type,
  case when t.typtype = 'd' then t.typbasetype else t.oid end::regtype::text as plain_type,
  a.attnotnull as not_null,
  a.attidentity::text as identity,
  a.attgenerated <> '' as generated,
  pg_get_expr(d.adbin, d.adrelid) as default_value,
  quote_literal(col_description(a.attrelid, a.attnum)) as comment,
  array_remove(
    array[
      case when a.attstattarget >= 0 then 'set statistics ' || a.attstattarget end,
      'set (' || array_to_string(a.attoptions, ', ') || ')'],
    null
  ) as settings,
  (
    select k.conname
    from pg_constraint k
    where k.conrelid = a.attrelid
      and k.contype = 'n'
      and k.conkey = array[a.attnum]
  ) as not_null_name,
  q.seqrelid::bigint as sequence,
  q.seqrelid::regclass::text as sequence_name,
  q.owned as sequence_owned,
  q.seqtypid::regtype::text as sequence_type,
  q.seqmax as sequence_max,
  format(
    'increment %s minvalue %s start %s cache %s%s',
    q.seqincrement, q.seqmin, q.seqstart, q.seqcache, case when q.seqcycle then ' cycle' else '' end) as sequence_options
from pg_attribute a
join pg_type t on t.oid = a.atttypid
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
left join lateral (
  -- The one it owns, or else one that its default draws from.
  select
    sequence.*,
    exists (
      select
      from pg_depend o
      where o.classid = 'pg_class'::regclass
        and o.objid = sequence.seqrelid
        and o.refclassid = 'pg_class'::regclass
        and o.refobjid = a.attrelid
        and o.refobjsubid = a.attnum
        and o.deptype in ('a', 'i')) as owned
  from pg_sequence sequence
  where sequence.seqrelid = pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass
    or exists (
      select
      from pg_depend u
      where u.classid = 'pg_attrdef'::regclass
        and u.objid = d.oid
        and u.refclassid = 'pg_class'::regclass
        and u.refobjid = sequence.seqrelid)
  order by owned desc
  limit 1
) q on true
where a.attrelid = :oid
  and a.attnum > 0
  and not a.attisdropped
order by a.attnum
