-- What the statistics say of the columns of users' tables that this role may read, with some values of
-- those that can hold UUIDs, or ULIDs as text, and the greatest value of those that can hold numbers. By names, as PostgreSQL shows it: a table joined to it
-- here would make a plan of its own for each.
-- Locks: none.
select
  s.schemaname as schema,
  s.tablename as table,
  s.attname as column,
  s.inherited,
  s.avg_width as width,
  s.null_frac as null_fraction,
  s.n_distinct as distinct_values,
  coalesce(s.most_common_freqs[1], 0) as top_frequency,
  case
    when s.avg_width = 16 or s.avg_width between 25 and 38 then
      (s.most_common_vals::text::text[] || s.histogram_bounds::text::text[])[1 : 100]
  end as sample,
  case
    when s.avg_width in (2, 4, 8) then
      (s.histogram_bounds::text::text[])[cardinality(s.histogram_bounds::text::text[])]
  end as greatest
from pg_stats s
where s.schemaname not in ('pg_catalog', 'information_schema', 'mintmark')
