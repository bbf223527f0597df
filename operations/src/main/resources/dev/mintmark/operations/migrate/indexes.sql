-- The indexes of a table. `columns` are those it holds as they are, `computed` those that its expressions use.
-- Parameters: oid. No locks.
select
  x.relname as name,
  pg_get_indexdef(i.indexrelid) as definition,
  i.indisunique as is_unique,
  i.indisvalid as valid,
  i.indisclustered as clustered,
  i.indpred is not null as partial,
  array(select a from unnest(i.indkey::integer[]) a where a > 0) as columns,
  i.indexprs is not null as computes,
  array(
    select d.refobjsubid
    from pg_depend d
    where d.classid = 'pg_class'::regclass
      and d.objid = i.indexrelid
      and d.refclassid = 'pg_class'::regclass
      and d.refobjid = i.indrelid
      and d.refobjsubid > 0
  ) as uses,
  k.conname as constraint_name,
  k.contype::text as constraint_type,
  k.condeferrable as deferrable,
  k.condeferred as deferred,
  quote_literal(obj_description(k.oid, 'pg_constraint')) as constraint_comment,
  quote_literal(obj_description(i.indexrelid, 'pg_class')) as comment
from pg_index i
join pg_class x on x.oid = i.indexrelid
left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x')
where i.indrelid = :oid
order by x.relname
