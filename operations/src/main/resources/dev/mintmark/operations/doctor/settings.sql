-- How long a statement of this transaction may take (:statement_timeout) and wait for a lock
-- (:lock_timeout), in milliseconds. From the next statement on, names mean PostgreSQL's own; this
-- one is looked up on the path of the session, so it names the schema of all it calls.
-- Compiling a statement would take longer than running it.
select
  pg_catalog.set_config('statement_timeout', (:statement_timeout::bigint)::pg_catalog.text, true),
  pg_catalog.set_config('lock_timeout', (:lock_timeout::bigint)::pg_catalog.text, true),
  pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true),
  pg_catalog.set_config('jit', 'off', true)
