-- The tables of users, partitioned ones whole: where some of their rows are, which is the table itself or the largest
-- partition. Left out: system schemas, temporary tables, our own schema and what extensions own.
-- Parameters: none. Locks: none.
select
  c.oid::bigint as oid,
  n.nspname as schema,
  c.relname as name,
  format('%I.%I', n.nspname, c.relname) as shown,
  c.relkind::text as kind,
  has_schema_privilege(n.oid, 'usage') as is_open,
  s.schema as rows_schema,
  s.name as rows_name
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
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
