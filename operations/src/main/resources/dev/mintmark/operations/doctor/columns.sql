-- The columns of the tables :tables that hold whole numbers, UUIDs, texts, or the time when a row was
-- made, with their defaults; without those that stand beside another one while a migration lasts.
-- Locks: none, or ACCESS SHARE on a table for as long as its defaults are written out.
select
  a.attrelid::bigint as root,
  a.attname as name,
  format('%I', a.attname) as shown,
  b.typname as type,
  coalesce(pg_get_expr(d.adbin, d.adrelid), '') as default_expression,
  has_column_privilege(a.attrelid, a.attnum, 'select') as is_readable
from pg_attribute a
join pg_type t on t.oid = a.atttypid
join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum and a.attgenerated = ''
where a.attrelid = any (:tables::oid[])
  and a.attnum > 0
  and not a.attisdropped
  and b.typname in ('int2', 'int4', 'int8', 'uuid', 'text', 'varchar', 'bpchar', 'timestamptz', 'timestamp', 'date')
  and not (
    a.attname ~ '__(new|old)$'
    and exists (select from pg_trigger g where g.tgrelid = a.attrelid and g.tgname = 'zzz_mintmark_sync'))
order by a.attrelid, a.attnum
