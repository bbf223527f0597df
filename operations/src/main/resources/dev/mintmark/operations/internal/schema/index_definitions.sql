-- The definitions of the indexes :indexes, and their conditions.
-- Parameters: indexes (bigint[]). Locks: ACCESS SHARE on a table for as long as an expression of one of its indexes is
-- written out.
select
  i.indexrelid::bigint as oid,
  pg_get_indexdef(i.indexrelid) as definition,
  pg_get_expr(i.indpred, i.indrelid) as condition
from pg_index i
where i.indexrelid = any (:indexes::oid[])
