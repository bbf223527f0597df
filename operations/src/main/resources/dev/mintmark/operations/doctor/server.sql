-- The time, and since when the database counts inserted rows: null where that is not known.
-- Locks: none.
select
  transaction_timestamp() as now,
  pg_stat_get_db_stat_reset_time(d.oid) as counted_since
from pg_database d
where d.datname = current_database()
