-- The migrations that Pools.migrate has run. Locks nothing.
select name
from mintmark.pool_migration;
