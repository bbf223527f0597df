-- Lists the transactions that have changed claims, or are about to. One that begins later sees the slices that were
-- committed before this statement: it locks the table before it takes its snapshot. Parameters: none. Locks: none.
select virtualtransaction
from pg_locks
where locktype = 'relation'
  and relation = 'mintmark.pool_claim'::regclass
  and database = (select oid from pg_database where datname = current_database())
  and mode = 'RowExclusiveLock'
  and pid is distinct from pg_backend_pid()
