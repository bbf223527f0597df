-- Reads the epochs in their order, and where the database is now: on which timeline of which cluster, and which token was
-- drawn last. Parameters: none. Locks: none.
select
  epoch,
  timeline,
  system_identifier,
  went_back,
  last_token,
  timeline_now,
  system_identifier_now,
  last_token_now
from mintmark.pool_epoch
cross join (
  select
    mintmark.pool_timeline() as timeline_now,
    mintmark.pool_system() as system_identifier_now,
    mintmark.pool_last_token() as last_token_now
) as here
order by number
