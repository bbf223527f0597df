-- Begins a transaction that asks tables for a row. It only reads. The names that statements after this one use are PostgreSQL's, whatever the
-- search_path of the role is and whatever other roles have created; so this one names the schema of all that it calls. Values
-- are written alike in every session. Returns the schemas in which a table without a schema is looked for.
--
-- Parameters: none. Locks: none.
with before as materialized (
  select pg_catalog.current_schemas(false)::text[] as schemas
)
select
  schemas,
  pg_catalog.set_config('transaction_read_only', 'on', true),
  pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true),
  pg_catalog.set_config('enable_seqscan', 'off', true),
  pg_catalog.set_config('jit', 'off', true),
  pg_catalog.set_config('datestyle', 'ISO, YMD', true),
  pg_catalog.set_config('intervalstyle', 'iso_8601', true),
  pg_catalog.set_config('timezone', 'UTC', true),
  pg_catalog.set_config('bytea_output', 'hex', true),
  pg_catalog.set_config('extra_float_digits', '1', true)
from before
