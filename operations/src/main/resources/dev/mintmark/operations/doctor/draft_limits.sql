-- Sets for this transaction how long a look at the rows of a table may take, and that nothing of
-- others is found by a name without a schema.
-- Locks: none.
select
  set_config('statement_timeout', '2s', true),
  set_config('lock_timeout', '200ms', true),
  set_config('search_path', 'pg_catalog', true)
