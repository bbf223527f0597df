-- Bounds the time of every further statement of this transaction, and of each wait for a lock, unless the session bounds them
-- more tightly already. A lock is waited for half as long as a statement may take, so that a locked table is told from a slow one.
--
-- Parameters: timeout_millis, lock_timeout_millis. Locks: none.
with bound as materialized (
  -- shown with a unit, as '5s'; 0 is no bound
  select
    nullif(extract(epoch from pg_catalog.current_setting('statement_timeout')::interval) * 1000, 0) as statement_millis,
    nullif(extract(epoch from pg_catalog.current_setting('lock_timeout')::interval) * 1000, 0) as lock_millis
)
select
  pg_catalog.set_config('statement_timeout', least(:timeout_millis, statement_millis)::bigint::text, true),
  pg_catalog.set_config('lock_timeout', least(:lock_timeout_millis, lock_millis)::bigint::text, true)
from bound
