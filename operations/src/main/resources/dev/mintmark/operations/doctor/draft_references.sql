-- The columns whose names end in id, of all tables that are not parts of others, that are in no
-- foreign key and are not the primary key by themselves.
-- Locks: none.
select
  n.nspname as schema,
  c.relname as name,
  a.attname as column,
  b.typname as type,
  has_column_privilege(c.oid, a.attnum, 'select') and has_schema_privilege(n.oid, 'usage') as is_readable
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname ~* 'id$'
join pg_type t on t.oid = a.atttypid
join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
where c.relkind in ('r', 'p')
  and not c.relispartition
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
order by n.nspname, c.relname, a.attnum
