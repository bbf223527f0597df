-- The columns of the tables :relations, whose wholes are :roots, that are part of the key of an index.
-- Locks: none.
select
  m.root::bigint as root,
  a.attname as name,
  c.relname as index,
  i.indisprimary as is_primary,
  i.indisunique and i.indisvalid as is_unique,
  i.indnkeyatts as columns,
  i.indpred is not null as is_partial,
  m.oid = m.root as is_of_whole,
  i.indisvalid and am.amname = 'btree' and i.indkey[0] = a.attnum as begins
from unnest(:relations::oid[], :roots::oid[]) as m (oid, root)
join pg_index i on i.indrelid = m.oid
join pg_class c on c.oid = i.indexrelid
join pg_am am on am.oid = c.relam
join pg_attribute a
  on a.attrelid = i.indrelid and a.attnum = any ((i.indkey::int2[])[0 : i.indnkeyatts - 1])
order by 1, 2, 3
