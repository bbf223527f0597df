-- Bounds the time of every further statement of this transaction, unless it is bounded more tightly already, and
-- answers the bound before and the bound now. It is undone with the transaction, or with a savepoint before it.
--
-- Parameters: timeout_millis. Locks: none.
with bound as materialized (
  select
    pg_catalog.current_setting('statement_timeout') as before,
    -- shown with a unit, as '5s'; 0 is no bound
    nullif(extract(epoch from pg_catalog.current_setting('statement_timeout')::interval) * 1000, 0) as before_millis
),
tighter as materialized (
  select before, least(:timeout_millis, before_millis)::bigint as millis
  from bound
)
select before, millis, pg_catalog.set_config('statement_timeout', millis::text, true)
from tighter
