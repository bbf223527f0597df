-- The columns of the tables :relations, whose wholes are :roots, that hold numbers, UUIDs, texts that
-- are short, or the time when a row was made: what they are a key of, and what the statistics say of
-- their values (nothing where this role may not read the column).
-- Locks: none, or ACCESS SHARE on a table for as long as its defaults are written out.
with member as (
  select m.oid, m.root, c.relkind, c.reltuples, c.relname, n.nspname
  from unnest(:relations::oid[], :roots::oid[]) as m (oid, root)
  join pg_class c on c.oid = m.oid
  join pg_namespace n on n.oid = c.relnamespace
),
key as (
  select
    m.root,
    a.attname,
    bool_or(i.indisprimary) as is_primary,
    bool_or(i.indisunique and i.indisvalid) as is_unique,
    bool_or(i.indisunique and i.indisvalid and i.indnkeyatts = 1 and i.indpred is null and m.oid = m.root) as is_unique_alone,
    bool_or(am.amname = 'btree' and i.indisvalid and i.indpred is null and i.indkey[0] = a.attnum and m.oid = m.root) as leads,
    array_agg(distinct ic.relname || '=' || i.indisunique || '=' || i.indnkeyatts order by ic.relname || '=' || i.indisunique || '=' || i.indnkeyatts)
      filter (where m.oid = m.root) as indexes
  from member m
  join pg_index i on i.indrelid = m.oid
  join pg_class ic on ic.oid = i.indexrelid
  join pg_am am on am.oid = ic.relam
  join pg_attribute a
    on a.attrelid = m.oid and a.attnum = any ((i.indkey::int2[])[0 : i.indnkeyatts - 1])
  group by m.root, a.attname
),
reference as (
  select distinct m.root, a.attname
  from member m
  join pg_constraint f on f.conrelid = m.oid and f.contype = 'f'
  join pg_attribute a on a.attrelid = m.oid and a.attnum = any (f.conkey)
),
statistic as (
  select distinct on (m.root, s.attname)
    m.root, s.attname, s.avg_width, s.null_frac, s.n_distinct,
    s.most_common_freqs[1] as top_frequency,
    s.most_common_vals::text::text[] as common,
    s.histogram_bounds::text::text[] as bounds
  from member m
  join pg_stats s
    on s.schemaname = m.nspname and s.tablename = m.relname and s.inherited = (m.relkind = 'p')
  where s.avg_width <= 40
  order by m.root, s.attname, m.relkind = 'p' desc, m.reltuples desc
)
select
  root.oid::bigint as root,
  a.attname as name,
  format('%I', a.attname) as shown,
  b.typname as type,
  coalesce(d.expression, '') as default_expression,
  coalesce(k.is_primary, false) as is_primary,
  coalesce(k.is_unique, false) as is_unique,
  coalesce(k.is_unique_alone, false) as is_unique_alone,
  coalesce(k.leads, false) as leads,
  coalesce(k.indexes, array[]::text[]) as indexes,
  r.root is not null as is_reference,
  has_column_privilege(root.oid, a.attnum, 'select') as is_readable,
  (
    select bool_or(ma.atthasmissing)
    from member m
    join pg_attribute ma on ma.attrelid = m.oid and ma.attname = a.attname
    where m.root = root.oid
  ) as has_missing,
  s.root is not null as is_analyzed,
  coalesce(s.avg_width, 0) as width,
  coalesce(s.null_frac, 0) as null_fraction,
  coalesce(s.n_distinct, 0) as distinct_values,
  coalesce(s.top_frequency, 0) as top_frequency,
  case
    when b.typname in ('int2', 'int4', 'int8') then
      array[(select max(v::bigint)::text from unnest(s.common || s.bounds) as v)]
    when b.typname in ('uuid', 'text', 'varchar', 'bpchar') then (s.common || s.bounds)[1 : 100]
  end as sample
from member root
join pg_attribute a on a.attrelid = root.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
left join key k on k.root = root.oid and k.attname = a.attname
left join reference r on r.root = root.oid and r.attname = a.attname
left join statistic s on s.root = root.oid and s.attname = a.attname
left join lateral (
  select pg_get_expr(d.adbin, d.adrelid) as expression
  from pg_attrdef d
  where d.adrelid = root.oid and d.adnum = a.attnum and a.attgenerated = ''
) d on true
where root.oid = root.root
  and (
    b.typname in ('int2', 'int4', 'int8', 'uuid')
    or b.typname in ('text', 'varchar', 'bpchar')
      and (k.root is not null or r.root is not null or a.attname ~* 'id$' or s.root is not null)
    or b.typname in ('timestamptz', 'timestamp', 'date')
      and (k.is_unique_alone or a.attname ~* '^(created?|creation|inserted)')
  )
order by root.nspname, root.relname, a.attnum
