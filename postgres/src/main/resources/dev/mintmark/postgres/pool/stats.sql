-- How many values of a pool are in which state, in one snapshot. Parameters: pool_id. Locks: none.
select
  exists (select from mintmark.pool where pool_id = :pool_id) as known,
  (select count(*) from mintmark.pool_free where pool_id = :pool_id) as free,
  (select count(*) from mintmark.pool_claim where pool_id = :pool_id) as held,
  (select count(*) from mintmark.pool_quarantine where pool_id = :pool_id) as quarantined
