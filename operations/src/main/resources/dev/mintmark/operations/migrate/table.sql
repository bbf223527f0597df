-- What a table is, apart from its columns. `obstacles` are reasons why its keys cannot be migrated, a text each.
-- Parameters: oid. No locks.
select
  n.nspname as schema,
  c.relname as name,
  c.oid::regclass::text as shown,
  c.relkind::text as kind,
  -- Of a table that was never looked at the server knows nothing but its size.
  case
    when c.relpages > 0 then c.reltuples / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::bigint)
    else pg_relation_size(c.oid) / 100
  end::bigint as rows,
  pg_table_size(c.oid) as table_bytes,
  c.relrowsecurity as row_security,
  row_security_active(c.oid) as hides_rows,
  quote_ident(pg_get_userbyid(c.relowner)) as owner,
  pg_has_role(c.relowner, 'usage') as owned,
  quote_literal(obj_description(c.oid, 'pg_class')) as comment,
  exists (select from pg_inherits i where c.oid in (i.inhrelid, i.inhparent)) as inherits,
  exists (select from pg_rewrite r where r.ev_class = c.oid) as has_rules,
  c.relreplident = 'i' as identified_by_index,
  (select count(*) from pg_index i where i.indrelid = c.oid) as indexes,
  (
    select string_agg(distinct p.pubname, ', ')
    from pg_publication_tables p
    where p.schemaname = n.nspname
      and p.tablename = c.relname
  ) as publications
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.oid = :oid
