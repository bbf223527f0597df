-- Makes the transaction in which a plan is made end by nothing but a lock timeout: it may read whole tables.
--
-- Parameters: none. Locks: none.
select
  pg_catalog.set_config('statement_timeout', '0', true),
  case
    when pg_catalog.current_setting('server_version_num')::integer operator(pg_catalog.>=) 170000
    then pg_catalog.set_config('transaction_timeout', '0', true)
  end
