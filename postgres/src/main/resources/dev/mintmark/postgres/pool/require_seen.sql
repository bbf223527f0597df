-- Reads the row that sessions change in turn. Parameters: none. Locks: none.
select swept_at::text as swept_at
from mintmark.pool_sweep
