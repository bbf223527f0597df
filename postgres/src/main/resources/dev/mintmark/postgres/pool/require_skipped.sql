-- Finds the row if no other session has locked it. Parameters: none. Locks: the row, skipping it if it is locked.
select is_only
from mintmark.pool_sweep
for update skip locked
