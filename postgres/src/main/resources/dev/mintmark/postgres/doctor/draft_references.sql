-- The columns whose names end in id, of the tables that are people's own, that are in no foreign key
-- and are not the primary key by themselves; and where some of their rows are: the table itself, or
-- the largest part.
-- Locks: none.
select
  n.nspname as schema,
  c.relname as name,
  a.attname as column,
  b.typname as type,
  has_column_privilege(c.oid, a.attnum, 'select') and has_schema_privilege(n.oid, 'usage') as is_readable,
  s.schema as rows_schema,
  s.name as rows_name
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname ~* 'id$'
join pg_type t on t.oid = a.atttypid
join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
left join lateral (
  select pn.nspname as schema, pc.relname as name
  from (
    select c.oid
    where c.relkind = 'r'
    union all
    select p.relid
    from pg_partition_tree(c.oid) p
    where c.relkind = 'p' and p.isleaf
  ) part
  join pg_class pc on pc.oid = part.oid and pc.relkind = 'r'
  join pg_namespace pn on pn.oid = pc.relnamespace
  order by pc.relpages desc, pc.oid
  limit 1
) s on true
where c.relkind in ('r', 'p')
  and not c.relispartition
  and c.relpersistence <> 't'
  and n.nspname not in ('information_schema', 'mintmark')
  and n.nspname !~ '^pg_'
  and b.typname in ('uuid', 'int2', 'int4', 'int8', 'text', 'varchar', 'bpchar')
  and not exists (
    select
    from pg_constraint f
    where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any (f.conkey)
  )
  and not exists (
    select
    from pg_index i
    where i.indrelid = c.oid and i.indisprimary and i.indnkeyatts = 1 and i.indkey[0] = a.attnum
  )
  and not exists (
    select
    from pg_depend e
    where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e'
  )
order by n.nspname, c.relname, a.attnum
