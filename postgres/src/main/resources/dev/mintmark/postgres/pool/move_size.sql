-- Counts what a move has to copy beside the values, and the slices in force that it would break. Parameters: pool_id.
-- Locks: none.
select
  (select count(*) from mintmark.pool_history where pool_id = :pool_id) as past,
  (select count(*) from mintmark.pool_slice where pool_id = :pool_id and usable_until > clock_timestamp()) as slices
