-- Makes a session one that runs a migration: nothing but a lock timeout ends a statement, and rows that a policy hides are
-- an error instead of missing. Batches are planned for their own cursor. What is made has the tablespace of the database,
-- unless its statement names another one.
--
-- Parameters: none. Locks: nothing.
select
  pg_catalog.set_config('application_name', 'mintmark migrate', false),
  pg_catalog.set_config('default_transaction_isolation', 'read committed', false),
  pg_catalog.set_config('default_transaction_read_only', 'off', false),
  pg_catalog.set_config('statement_timeout', '0', false),
  case
    when pg_catalog.current_setting('server_version_num')::integer operator(pg_catalog.>=) 170000
    then pg_catalog.set_config('transaction_timeout', '0', false)
  end,
  pg_catalog.set_config('lock_timeout', '0', false),
  pg_catalog.set_config('idle_session_timeout', '0', false),
  pg_catalog.set_config('idle_in_transaction_session_timeout', '60s', false),
  pg_catalog.set_config('row_security', 'off', false),
  pg_catalog.set_config('plan_cache_mode', 'force_custom_plan', false),
  pg_catalog.set_config('default_tablespace', '', false),
  pg_catalog.set_config('check_function_bodies', 'on', false)
