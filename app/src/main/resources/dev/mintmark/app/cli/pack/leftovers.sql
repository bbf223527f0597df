-- The schemas of measurements that have not ended, or whose process was killed.
select pg_catalog.quote_ident(nspname)
from pg_catalog.pg_namespace
where pg_catalog.starts_with(nspname::pg_catalog.text, 'mintmark_bench_')
order by 1
