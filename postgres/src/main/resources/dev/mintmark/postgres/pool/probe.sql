-- Tells whether a pool is empty and, in the same snapshot, who has come to hold a value of it, or could have one back.
--
-- Empty is meant hard: a row that a claim under way has locked or deleted still counts as free until that claim
-- commits, and a value that is being drawn still counts as never issued. So in a snapshot where nothing is free no claim
-- is under way but of values that rest, whose last clients are listed; and every token drawn so far belongs to a claim
-- that is visible here, to a last client, or never will be seen: later claims have greater tokens.
--
-- last_drawn is behind the tokens that were seen before only where the database has gone back in time: a restore, a
-- fail-over to a replica that was behind.
--
-- Parameters: pool_id; after_token (holders with a greater token are listed); holders_max (one more than that is listed
--   at most). Locks: none.
select
  exists (select from mintmark.pool where pool_id = :pool_id) as known,
  exists (select from mintmark.pool_free where pool_id = :pool_id)
    or exists (
      select from mintmark.pool_block
      where pool_id = :pool_id and issued < size and not draining and removed_at is null
        and (not_before is null or not_before <= now())) as any_free,
  now() as at,
  least(
    (select min(until) from mintmark.pool_quarantine where pool_id = :pool_id),
    (select min(expires_at) from mintmark.pool_claim where pool_id = :pool_id and expires_at is not null),
    (select min(not_before) from mintmark.pool_block where pool_id = :pool_id and issued < size and not draining
      and removed_at is null)
  ) as next_due,
  (select max(token) from mintmark.pool_claim where pool_id = :pool_id) as last_token,
  (select last_value from mintmark.pool_token) as last_drawn,
  array(
    select client from mintmark.pool_claim where pool_id = :pool_id and token > :after_token
    union all
    select last_client from mintmark.pool_quarantine
    where pool_id = :pool_id and last_token > :after_token and last_client is not null
    limit :holders_max + 1
  ) as holders
