-- The columns of bigint that a foreign key connects, in either direction, with an integer or smallint,
-- and those.
-- Locks: none.
select
  wn.nspname as schema,
  wc.relname as name,
  wa.attname as column,
  nn.nspname as narrow_schema,
  nc.relname as narrow_name,
  na.attname as narrow_column
from pg_constraint f
cross join lateral unnest(f.conkey, f.confkey) as k (own, target)
cross join lateral (
  values (f.conrelid, k.own, f.confrelid, k.target), (f.confrelid, k.target, f.conrelid, k.own)
) as p (wide_table, wide, narrow_table, narrow)
join pg_attribute wa on wa.attrelid = p.wide_table and wa.attnum = p.wide
join pg_type wt on wt.oid = wa.atttypid
join pg_attribute na on na.attrelid = p.narrow_table and na.attnum = p.narrow
join pg_type nt on nt.oid = na.atttypid
join pg_class wc on wc.oid = p.wide_table
join pg_namespace wn on wn.oid = wc.relnamespace
join pg_class nc on nc.oid = p.narrow_table
join pg_namespace nn on nn.oid = nc.relnamespace
where f.contype = 'f'
  and f.conparentid = 0
  and case when wt.typtype = 'd' then wt.typbasetype else wt.oid end = 'int8'::regtype
  and case when nt.typtype = 'd' then nt.typbasetype else nt.oid end in ('int2'::regtype, 'int4'::regtype)
order by nn.nspname, nc.relname, na.attnum, wn.nspname, wc.relname, wa.attnum
