-- The tables that are people's own, partitioned ones whole: where some of their rows are, which is
-- the table itself or the largest part; the columns of the primary key and, where that is one, what
-- is known of it.
-- Locks: none, or ACCESS SHARE on a table for as long as a default is written out.
select
  n.nspname as schema,
  c.relname as name,
  coalesce(k.columns, array[]::text[]) as columns,
  coalesce(b.typname, '') as type,
  coalesce(pg_get_expr(d.adbin, d.adrelid), '') as default_expression,
  coalesce(a.attidentity <> '', false) as is_identity,
  coalesce(has_column_privilege(c.oid, a.attnum, 'select') and has_schema_privilege(n.oid, 'usage'), false)
    as is_readable,
  s.schema as rows_schema,
  s.name as rows_name
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
left join pg_index i on i.indrelid = c.oid and i.indisprimary
left join lateral (
  select array_agg(ka.attname::text order by p.place) as columns, min(ka.attnum) as first
  from unnest(i.indkey::int2[]) with ordinality as p (attnum, place)
  join pg_attribute ka on ka.attrelid = c.oid and ka.attnum = p.attnum
  where p.place <= i.indnkeyatts
) k on true
left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.first and cardinality(k.columns) = 1
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum and a.attgenerated = ''
left join pg_type t on t.oid = a.atttypid
left join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
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
  and not exists (
    select
    from pg_depend e
    where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e'
  )
order by n.nspname, c.relname
