-- Locks the row and changes it by its address, as claims do with free values. Parameters: none. Locks: the row.
with locked as materialized (
  select ctid
  from mintmark.pool_sweep
  for update
)
update mintmark.pool_sweep
set swept_at = swept_at
where ctid = any (array(select ctid from locked))
