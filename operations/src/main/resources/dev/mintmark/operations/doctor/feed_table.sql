-- The table of sequences that are fed from a pool, if there is one, and whether this role reads all of its rows.
-- Locks: none.
select
  has_schema_privilege(n.oid, 'usage')
    and has_table_privilege(c.oid, 'select')
    and not row_security_active(c.oid) as is_readable
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'mintmark' and c.relname = 'sequence_feed' and c.relkind = 'r'
