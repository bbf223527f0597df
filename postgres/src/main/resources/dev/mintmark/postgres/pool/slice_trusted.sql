-- Reads whether what a slice has granted may be recorded in a later epoch than its own: the pool trusts every failover in
-- between (load_settlement.sql), or there was none.
--
-- Parameters: pool_id; epoch (in which the slice began). Locks: none. Returns one row, or none if the pool is gone.
select exists (
  select
  from mintmark.pool_epoch as began
  where began.epoch = :epoch::uuid
    and not exists (
      select
      from mintmark.pool_epoch as later
      where later.number > began.number
        and (later.went_back or pool.after_failover is distinct from 'trust'))) as trusted
from mintmark.pool
where pool_id = :pool_id
