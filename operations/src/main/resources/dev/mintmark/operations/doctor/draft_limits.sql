-- Sets for this transaction how long a look at the rows of a table may take, and that nothing of
-- others is found by a name without a schema. This statement is looked up on the path of the
-- session, so it names the schema of all it calls.
-- Locks: none.
select
  pg_catalog.set_config('statement_timeout', '2s', true),
  pg_catalog.set_config('lock_timeout', '200ms', true),
  pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true)
