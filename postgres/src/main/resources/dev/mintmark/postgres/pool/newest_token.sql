-- Returns the greatest token among the claims of a pool that are held, quarantined or in the history; 0 if there is none.
-- Together with the counts it shows whether a value was claimed or released since they were counted last. Each of the
-- three is the end of an index. Parameters: pool_id. Locks: none.
select greatest(
  (select pg_catalog.max(token) from mintmark.pool_claim where pool_id = :pool_id),
  (select pg_catalog.max(last_token) from mintmark.pool_quarantine where pool_id = :pool_id and last_token is not null),
  (select pg_catalog.max(token) from mintmark.pool_history where pool_id = :pool_id),
  0) as token
