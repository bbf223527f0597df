-- The bytes of the table, of its primary key, and of the table that refers to it.
select
  pg_catalog.pg_relation_size(':schema.parent'::pg_catalog.regclass) as table_bytes,
  pg_catalog.pg_relation_size(':schema.parent_key'::pg_catalog.regclass) as index_bytes,
  pg_catalog.pg_relation_size(':schema.child'::pg_catalog.regclass) as child_bytes
