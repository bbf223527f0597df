-- Tells whether a pool is empty and, in the same snapshot, who has come to hold a value of it.
--
-- Empty is meant hard: a row that a claim under way has locked or deleted still counts as free until that claim
-- commits. So in a snapshot where nothing is free no claim is under way, and every token drawn so far belongs to a
-- claim that is visible here or never will be: later claims have greater tokens.
--
-- last_drawn is behind the tokens that were seen before only where the database has gone back in time: a restore, a
-- fail-over to a replica that was behind.
--
-- Parameters: pool_id; after_token (holders with a greater token are listed). Locks: none.
select
  exists (select from mintmark.pool where pool_id = :pool_id) as known,
  exists (select from mintmark.pool_free where pool_id = :pool_id) as any_free,
  now() as at,
  least(
    (select min(until) from mintmark.pool_quarantine where pool_id = :pool_id),
    (select min(expires_at) from mintmark.pool_claim where pool_id = :pool_id and expires_at is not null)
  ) as next_due,
  (select max(token) from mintmark.pool_claim where pool_id = :pool_id) as last_token,
  (select last_value from mintmark.pool_token) as last_drawn,
  array(
    select client from mintmark.pool_claim where pool_id = :pool_id and token > :after_token
  ) as holders
