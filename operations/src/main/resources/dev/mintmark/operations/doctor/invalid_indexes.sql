-- The indexes of the tables :relations, whose wholes are :roots, that are not valid and are not being
-- built at this moment. `is_certain` is false if another role builds an index that this role may not see: it could be any
-- of them.
-- Locks: none.
select
  m.root::bigint as root,
  format('%I.%I', n.nspname, c.relname) as shown,
  c.relkind = 'I' as is_of_parts,
  i.indisunique as is_unique,
  c.relpages * current_setting('block_size')::bigint as bytes,
  not exists (
    select
    from pg_stat_progress_create_index p
    where p.datname = current_database() and p.relid is null
  ) as is_certain
from unnest(:relations::oid[], :roots::oid[]) as m (oid, root)
join pg_index i on i.indrelid = m.oid
join pg_class c on c.oid = i.indexrelid
join pg_namespace n on n.oid = c.relnamespace
where not i.indisvalid
  and not exists (select from pg_stat_progress_create_index p where p.index_relid = c.oid)
order by 2
