-- The indexes of the tables :relations. `key_columns` has null in the place of an expression, `columns` those that are
-- only included as well, `uses` those that expressions and the condition use as well.
-- Parameters: relations (bigint[]). Locks: none.
select
  i.indexrelid::bigint as oid,
  i.indrelid::bigint as relation,
  x.relname as name,
  am.amname as method,
  i.indisprimary as is_primary,
  i.indisunique as is_unique,
  i.indisvalid as is_valid,
  i.indisclustered as is_clustered,
  i.indpred is not null as is_partial,
  i.indexprs is not null as has_expressions,
  array(
    select a.attname::text
    from unnest((i.indkey::int2[])[0 : i.indnkeyatts - 1]) with ordinality as k (number, place)
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number and k.number <> 0
    order by k.place
  ) as key_columns,
  array(
    select a.attname::text
    from unnest(i.indkey::int2[]) with ordinality as k (number, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    where k.number > 0
    order by k.place
  ) as columns,
  array(
    select a.attname::text
    from pg_depend d
    join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    where d.classid = 'pg_class'::regclass
      and d.objid = i.indexrelid
      and d.refclassid = 'pg_class'::regclass
      and d.refobjid = i.indrelid
      and d.refobjsubid > 0
  ) as uses,
  k.conname as constraint_name,
  k.contype::text as constraint_kind,
  k.condeferrable as is_deferrable,
  k.condeferred as is_deferred,
  quote_ident(s.spcname) as tablespace,
  has_tablespace_privilege(s.oid, 'create') as is_tablespace_usable
from pg_index i
join pg_class x on x.oid = i.indexrelid
join pg_am am on am.oid = x.relam
left join pg_tablespace s on s.oid = x.reltablespace
left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x')
where i.indrelid = any (:relations::oid[])
order by i.indrelid, x.relname
