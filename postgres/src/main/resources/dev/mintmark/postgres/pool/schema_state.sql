-- Which tables of pools there are, and whether Pools.migrate has created them. Locks nothing. It reads a table, because the
-- functions alone may answer as it was before a lock was there.
select
  pg_catalog.to_regnamespace('mintmark') is not null as has_schema,
  pg_catalog.to_regclass('mintmark.pool') is not null as has_pools,
  pg_catalog.to_regclass('mintmark.pool_supply') is not null as is_newest,
  pg_catalog.to_regclass('mintmark.pool_migration') is not null as has_history
from pg_catalog.pg_database
where datname = pg_catalog.current_database();
