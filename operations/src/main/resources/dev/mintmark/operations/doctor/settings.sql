-- How long a statement of this transaction may take (:statement_timeout) and wait for a lock
-- (:lock_timeout), in milliseconds. Names mean PostgreSQL's own, and are written with their schema.
-- Compiling a statement would take longer than running it.
select
  set_config('statement_timeout', :statement_timeout::bigint || 'ms', true),
  set_config('lock_timeout', :lock_timeout::bigint || 'ms', true),
  set_config('search_path', 'pg_catalog', true),
  set_config('jit', 'off', true)
