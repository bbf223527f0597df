-- Quarantines a value that is not held. A value in quarantine keeps the later end.
--
-- Parameters: pool_id; block_id; place; version (of the block, as read); millis. Locks: the value's row; the block, if
-- the value was never issued (refill.sql says why). Returns the end, or no row if the value is held, is being moved,
-- or is excluded and not in quarantine.
with found as (
  delete from mintmark.pool_free
  where pool_id = :pool_id and block_id = :block_id and place = :place
  returning held_until
),
issued as (
  update mintmark.pool_block
  set issued = issued + 1, version = version + 1
  where block_id = :block_id and version = :version and removed_at is null
    and not :place::bigint <@ excluded_places
    and not exists (
      select from mintmark.pool_free where pool_id = :pool_id and block_id = :block_id and place = :place)
    and not exists (
      select from mintmark.pool_claim where pool_id = :pool_id and block_id = :block_id and place = :place)
    and not exists (
      select from mintmark.pool_quarantine where pool_id = :pool_id and block_id = :block_id and place = :place)
  returning held_until
),
prolonged as (
  update mintmark.pool_quarantine
  set
    until = greatest(until, now() + :millis * interval '1 millisecond'),
    last_client = null,
    last_slot = null
  where pool_id = :pool_id and block_id = :block_id and place = :place
  returning until
),
quarantined as (
  insert into mintmark.pool_quarantine (pool_id, block_id, place, until, held_until)
  select :pool_id, :block_id, :place, now() + :millis * interval '1 millisecond', held_until
  from (select held_until from found union all select held_until from issued) as taken
  returning until
)
select until from prolonged
union all
select until from quarantined
