-- The sequences that columns of the tables :relations own or take numbers from, one row for each such column; and, if
-- :unused, those of users that no column takes numbers from, without those of temporary schemas, of extensions and of ours.
-- One that was dropped since the snapshot is readable: reading it fails with that reason.
-- Parameters: relations (bigint[]), unused (boolean). Locks: none.
with use as (
  select d.objid as sequence, d.refobjid as relation, d.refobjsubid as number, true as is_owned, d.deptype = 'i' as is_drawn
  from pg_depend d
  where d.classid = 'pg_class'::regclass
    and d.refclassid = 'pg_class'::regclass
    and d.deptype in ('a', 'i')
    and d.refobjsubid > 0
  union all
  select d.refobjid, v.adrelid, v.adnum, false, true
  from pg_depend d
  join pg_attrdef v on v.oid = d.objid
  where d.classid = 'pg_attrdef'::regclass
    and d.refclassid = 'pg_class'::regclass
),
used as (
  select
    u.sequence,
    u.relation,
    u.number,
    bool_or(u.is_owned) as is_owned,
    bool_or(u.is_drawn) as is_drawn,
    bool_or(bool_or(u.is_drawn)) over (partition by u.sequence) as is_drawn_by_any
  from use u
  join pg_sequence q on q.seqrelid = u.sequence
  group by u.sequence, u.relation, u.number
)
select
  c.oid::bigint as oid,
  n.nspname as schema,
  c.relname as name,
  format('%I.%I', n.nspname, c.relname) as shown,
  c.relkind::text as kind,
  q.seqtypid::regtype::text as type,
  q.seqstart as start,
  q.seqmin as min,
  q.seqmax as max,
  q.seqincrement as increment,
  q.seqcache as cache,
  q.seqcycle as cycles,
  has_schema_privilege(n.oid, 'usage') and coalesce(has_table_privilege(c.oid, 'select'), true) as is_readable,
  u.relation::bigint as relation,
  u.number::integer as number,
  a.attname as column_name,
  coalesce(u.is_owned, false) as is_owned,
  coalesce(u.is_drawn, false) as is_drawn,
  coalesce(u.is_drawn_by_any, false) as is_drawn_by_any
from pg_sequence q
join pg_class c on c.oid = q.seqrelid
join pg_namespace n on n.oid = c.relnamespace
left join used u on u.sequence = c.oid
left join pg_attribute a on a.attrelid = u.relation and a.attnum = u.number
where u.relation = any (:relations::oid[])
  or :unused
    and not coalesce(u.is_drawn_by_any, false)
    and c.relpersistence <> 't'
    and n.nspname not in ('information_schema', 'mintmark')
    and n.nspname !~ '^pg_'
    and not exists (
      select
      from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
    )
order by 4, u.relation, a.attname
