-- Says why a pool may not grant values at present, if it may not. Parameters: pool_id; epoch, seen_token (as in claim.sql).
-- Locks: none; the caller has locked the pool (lock_pool.sql), so that no slice begins.
select problem
from (
  select
    case mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token)
      when 'fenced' then 'the database may have gone back, and the pool is not settled: adopt the table again'
      when 'stopped'
      then 'the pool is stopped after a failover: mintmark pool quarantine POOL --all, or mintmark pool resume POOL if no claim is lost'
      when 'sliced'
      then 'instances grant values of the pool from slices, so end these first: ' || (
        select string_agg(distinct mintmark.pool_quoted(instance), ', ')
        from mintmark.pool_slice
        where pool_id = :pool_id and usable_until > now())
    end as problem) as state
where problem is not null
