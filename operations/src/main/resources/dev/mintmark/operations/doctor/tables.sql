-- The tables of users, a partitioned one once with all its parts: of :schemas, or of all where that
-- is null. Left out: system schemas, temporary tables, our own schema and what extensions own.
-- Rows and sizes are those that the last vacuum or analyze has left in the catalog.
-- Locks: none on the tables themselves; so one that another session locks is still listed.
with recursive member as (
  select c.oid, c.oid as root
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p')
    and not c.relispartition
    and c.relpersistence <> 't'
    and n.nspname not in ('information_schema', 'mintmark')
    and n.nspname !~ '^pg_'
    and (:schemas::text[] is null or n.nspname = any (:schemas::text[]))
    and not exists (
      select
      from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
    )
  union all
  select i.inhrelid, m.root
  from member m
  join pg_inherits i on i.inhparent = m.oid
  join pg_class c on c.oid = i.inhrelid
  where c.relispartition and c.relkind in ('r', 'p')
),
index_size as (
  select i.indrelid, sum(c.relpages) as pages
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  group by i.indrelid
),
locked as (
  select distinct l.relation
  from pg_locks l
  where l.locktype = 'relation'
    and l.granted
    and l.mode = 'AccessExclusiveLock'
    and l.database = (select oid from pg_database where datname = current_database())
)
select
  root.oid::bigint as root,
  n.nspname as schema,
  root.relname as name,
  format('%I.%I', n.nspname, root.relname) as shown,
  array_agg(m.oid::bigint order by m.oid) as members,
  (array_agg(cn.nspname order by c.reltuples desc, m.oid))[1] as largest_schema,
  (array_agg(c.relname order by c.reltuples desc, m.oid))[1] as largest_name,
  sum(coalesce(nullif(c.reltuples::float8, -1), pg_stat_get_live_tuples(m.oid)))::bigint as rows,
  sum(pg_stat_get_tuples_inserted(m.oid))::bigint as inserted,
  sum(c.relpages + coalesce(t.relpages, 0) + coalesce(s.pages, 0))::bigint
    * current_setting('block_size')::bigint as bytes,
  bool_or(l.relation is not null) as is_locked,
  row_security_active(root.oid) as has_row_security,
  has_schema_privilege(n.oid, 'usage') as is_open
from member m
join pg_class root on root.oid = m.root
join pg_namespace n on n.oid = root.relnamespace
join pg_class c on c.oid = m.oid
join pg_namespace cn on cn.oid = c.relnamespace
left join pg_class t on t.oid = c.reltoastrelid
left join index_size s on s.indrelid = m.oid
left join locked l on l.relation = m.oid
group by root.oid, n.oid
order by n.nspname, root.relname
