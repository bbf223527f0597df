-- What the tables :relations are, apart from their columns.
-- Parameters: relations (bigint[]). Locks: ACCESS SHARE on each table while its size is read.
select
  c.oid::bigint as oid,
  n.nspname as schema,
  c.relname as name,
  format('%I.%I', n.nspname, c.relname) as shown,
  c.relkind::text as kind,
  -- The server knows nothing but the size of a table that was never vacuumed or analyzed.
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
  p.names as publications,
  exists (select from pg_subscription_rel s where s.srrelid = c.oid) as subscribed
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
left join (
  select
    t.schemaname,
    t.tablename,
    string_agg(
      t.pubname
        || case
          when publication.puballtables then ' (for all tables)'
          when not exists (
            select
            from pg_publication_rel r
            where r.prpubid = publication.oid
              and r.prrelid = to_regclass(format('%I.%I', t.schemaname, t.tablename))
          ) then ' (for tables in schema)'
          else ''
        end,
      ', ' order by t.pubname) as names
  from pg_publication_tables t
  join pg_publication publication on publication.pubname = t.pubname
  group by t.schemaname, t.tablename
) p on p.schemaname = n.nspname and p.tablename = c.relname
where c.oid = any (:relations::oid[])
