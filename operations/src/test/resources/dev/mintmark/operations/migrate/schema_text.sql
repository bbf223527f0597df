-- Everything users made in a database, a line for each thing, in an order that does not depend on when it was made, but for
-- columns: they come in theirs.
with spaces as (
  select n.oid, n.nspname
  from pg_namespace n
  where n.nspname !~ '^pg_'
    and n.nspname <> 'information_schema'
),
tables as (
  select c.*, s.nspname
  from pg_class c
  join spaces s on s.oid = c.relnamespace
  -- How far migrations are is not what they make.
  where c.relname !~ '^key_migration'
    and c.relname <> 'schema_history'
)
select line
from (
  select '0 schema ' || nspname || ' ' || coalesce((select nspacl::text from pg_namespace n where n.oid = spaces.oid), '') as line
  from spaces
  union all
  select concat_ws(
    ' ', '1 relation', t.oid::regclass::text, t.relkind, t.relpersistence, pg_get_userbyid(t.relowner), t.relacl::text, t.reloptions::text,
    t.relrowsecurity::text, t.relreplident, obj_description(t.oid, 'pg_class'),
    case when t.relkind in ('v', 'm') then pg_get_viewdef(t.oid) end)
  from tables t
  where t.relkind not in ('i', 'I', 'c', 't')
  union all
  select concat_ws(
    ' ', '2 column', t.oid::regclass::text,
    lpad((select count(*) from pg_attribute b where b.attrelid = a.attrelid and b.attnum > 0 and b.attnum <= a.attnum and not b.attisdropped)::text, 3, '0'),
    a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text, a.attidentity, a.attgenerated, a.attacl::text,
    pg_get_expr(d.adbin, d.adrelid), pg_get_serial_sequence(t.oid::regclass::text, a.attname), col_description(t.oid, a.attnum))
  from tables t
  join pg_attribute a on a.attrelid = t.oid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where t.relkind in ('r', 'p', 'v', 'm')
    and a.attnum > 0
    and not a.attisdropped
  union all
  select concat_ws(
    ' ', '3 constraint', k.conrelid::regclass::text, k.conname, pg_get_constraintdef(k.oid), k.convalidated::text,
    obj_description(k.oid, 'pg_constraint'))
  from pg_constraint k
  join tables t on t.oid = k.conrelid
  union all
  select concat_ws(' ', '4 index', pg_get_indexdef(i.indexrelid), i.indisvalid::text, i.indisready::text, obj_description(i.indexrelid, 'pg_class'))
  from pg_index i
  join tables t on t.oid = i.indrelid
  union all
  select concat_ws(' ', '5 trigger', pg_get_triggerdef(g.oid), g.tgenabled)
  from pg_trigger g
  join tables t on t.oid = g.tgrelid
  where not g.tgisinternal
  union all
  select concat_ws(' ', '6 function', p.oid::regprocedure::text, md5(pg_get_functiondef(p.oid)))
  from pg_proc p
  join spaces s on s.oid = p.pronamespace
  where p.prokind <> 'a'
  union all
  select concat_ws(' ', '7 sequence', q.seqrelid::regclass::text, format_type(q.seqtypid, null), q.seqstart, q.seqincrement, q.seqmin, q.seqmax, q.seqcycle::text)
  from pg_sequence q
  join tables t on t.oid = q.seqrelid
  union all
  select concat_ws(' ', '8 statistics', pg_get_statisticsobjdef(x.oid))
  from pg_statistic_ext x
  union all
  select concat_ws(' ', '9 policy', p.polrelid::regclass::text, p.polname, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
  from pg_policy p
) lines
order by line collate "C"
