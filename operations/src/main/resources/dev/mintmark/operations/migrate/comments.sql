-- The comments on what belongs to the tables :relations: constraints, indexes, triggers, sequences of identities, extended
-- statistics. `schema` is that of statistics; null for what moves with its table.
-- Parameters: relations (bigint[]). Locks: none.
with commented as (
  select k.conrelid as relation, 'constraint' as kind, k.conname as name, null::name as schema, 'pg_constraint'::regclass as catalog, k.oid
  from pg_constraint k
  where k.conrelid = any (:relations::oid[])
  union all
  select i.indrelid, 'index', c.relname, null, 'pg_class'::regclass, c.oid
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  where i.indrelid = any (:relations::oid[])
  union all
  select t.tgrelid, 'trigger', t.tgname, null, 'pg_trigger'::regclass, t.oid
  from pg_trigger t
  where t.tgrelid = any (:relations::oid[])
    and not t.tgisinternal
  union all
  select d.refobjid, 'sequence', c.relname, null, 'pg_class'::regclass, c.oid
  from pg_depend d
  join pg_class c on c.oid = d.objid
  where d.classid = 'pg_class'::regclass
    and d.refclassid = 'pg_class'::regclass
    and d.refobjid = any (:relations::oid[])
    and d.deptype = 'i'
    and c.relkind = 'S'
  union all
  select s.stxrelid, 'statistics', s.stxname, n.nspname, 'pg_statistic_ext'::regclass, s.oid
  from pg_statistic_ext s
  join pg_namespace n on n.oid = s.stxnamespace
  where s.stxrelid = any (:relations::oid[])
)
select
  c.relation::bigint as relation,
  c.kind,
  c.name,
  c.schema,
  quote_literal(d.description) as text
from commented c
join pg_description d on d.classoid = c.catalog and d.objoid = c.oid and d.objsubid = 0
order by c.relation, c.kind, c.name
