-- Reads the columns of a table that a pool adopts, in their order. Parameters: table (its schema and name, quoted).
-- Locks: none. Returns no row if there is no such table; is_table: whether it is an ordinary one.
select
  attribute.attname as name,
  format_type(attribute.atttypid, attribute.atttypmod) as type,
  relation.relkind = 'r' as is_table,
  relation.relrowsecurity as has_row_security,
  namespace.nspname as schema,
  relation.relname as relation
from pg_class relation
join pg_namespace namespace on namespace.oid = relation.relnamespace
join pg_attribute attribute on attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped
where relation.oid = to_regclass(:table)
order by attribute.attnum
