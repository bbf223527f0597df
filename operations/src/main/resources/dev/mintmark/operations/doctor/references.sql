-- The foreign keys of the tables :relations, those of parts of a partitioned table too where the
-- whole has none: which columns, of what types, and whether an index finds their rows.
-- Locks: none, or ACCESS SHARE on a table for as long as the condition of an index is written out.
select
  f.conname as name,
  f.conrelid::bigint as relation,
  f.confrelid::bigint as target,
  greatest(c.reltuples, 0)::bigint as rows,
  format('%I.%I', tn.nspname, tc.relname) as target_shown,
  side.columns,
  side.shown,
  side.types,
  side.lengths,
  side.target_columns,
  side.target_columns_shown,
  side.target_types,
  side.target_lengths,
  exists (
    select
    from pg_index i
    where i.indrelid = f.conrelid
      and i.indisvalid
      and i.indnkeyatts >= cardinality(f.conkey)
      and (i.indkey::int2[])[0 : cardinality(f.conkey) - 1] @> f.conkey
      and (
        i.indpred is null
        or cardinality(f.conkey) = 1
          and pg_get_expr(i.indpred, i.indrelid) = '(' || side.shown[1] || ' IS NOT NULL)'
      )
  ) as is_indexed
from pg_constraint f
join pg_class c on c.oid = f.conrelid
join pg_class tc on tc.oid = f.confrelid
join pg_namespace tn on tn.oid = tc.relnamespace
cross join lateral (
  select
    array_agg(a.attname::text order by k.place) as columns,
    array_agg(format('%I', a.attname) order by k.place) as shown,
    array_agg(ab.typname::text order by k.place) as types,
    array_agg(a.atttypmod - 4 order by k.place) as lengths,
    array_agg(ta.attname::text order by k.place) as target_columns,
    array_agg(format('%I', ta.attname) order by k.place) as target_columns_shown,
    array_agg(tb.typname::text order by k.place) as target_types,
    array_agg(ta.atttypmod - 4 order by k.place) as target_lengths
  from unnest(f.conkey, f.confkey) with ordinality as k (attnum, target_attnum, place)
  join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.attnum
  join pg_type at on at.oid = a.atttypid
  join pg_type ab on ab.oid = case when at.typtype = 'd' then at.typbasetype else at.oid end
  join pg_attribute ta on ta.attrelid = f.confrelid and ta.attnum = k.target_attnum
  join pg_type tt on tt.oid = ta.atttypid
  join pg_type tb on tb.oid = case when tt.typtype = 'd' then tt.typbasetype else tt.oid end
) side
where f.contype = 'f'
  and f.conparentid = 0
  and f.conrelid = any (:relations::oid[])
order by f.conrelid, f.conname
