-- The sequences of users, of :schemas or of all where that is null, each with the columns of the
-- tables :relations, whose wholes are :roots, that take their numbers from it: null where none does.
-- Locks: none.
with used as (
  select d.objid as sequence, d.refobjid as relation, d.refobjsubid as attnum
  from pg_depend d
  where d.classid = 'pg_class'::regclass
    and d.refclassid = 'pg_class'::regclass
    and d.deptype = 'i'
    and d.refobjsubid > 0
  union
  select d.refobjid, v.adrelid, v.adnum
  from pg_depend d
  join pg_attrdef v on v.oid = d.objid
  where d.classid = 'pg_attrdef'::regclass and d.refclassid = 'pg_class'::regclass
)
select distinct
  n.nspname as schema,
  c.relname as name,
  format('%I.%I', n.nspname, c.relname) as shown,
  m.root::bigint as root,
  a.attname as column,
  q.seqmax as max,
  q.seqincrement as increment,
  q.seqcycle as cycles,
  has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as is_readable
from pg_sequence q
join pg_class c on c.oid = q.seqrelid
join pg_namespace n on n.oid = c.relnamespace
left join used u on u.sequence = c.oid
left join unnest(:relations::oid[], :roots::oid[]) as m (oid, root) on m.oid = u.relation
left join pg_attribute a on a.attrelid = m.oid and a.attnum = u.attnum
where c.relpersistence <> 't'
  and n.nspname not in ('information_schema', 'mintmark')
  and n.nspname !~ '^pg_'
  and (:schemas::text[] is null or n.nspname = any (:schemas::text[]))
  and (u.sequence is null or m.root is not null)
  and not exists (
    select
    from pg_depend d
    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
  )
order by 3, 4, 5
