-- The defaults of columns, and the expressions of generated ones.
-- Parameters: relations (bigint[], their tables), numbers (integer[], their places in the catalog).
-- Locks: ACCESS SHARE on a table for as long as an expression of it is written out.
select
  d.adrelid::bigint as relation,
  d.adnum::integer as number,
  pg_get_expr(d.adbin, d.adrelid) as expression
from unnest(:relations::bigint[], :numbers::integer[]) as w (relation, number)
join pg_attrdef d on d.adrelid = w.relation::oid and d.adnum = w.number
