-- Gives a client a named value: one that is free, one in quarantine that the client held last, or one that was never
-- issued.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); block_id; place; version (of the block, as read); client; slot;
--   owner; lease_millis.
-- Locks: the value's row; the block, if the value was never issued (refill.sql says why).
-- Returns the claim, or no row if the value is not available or its state has changed. Fails with 23505 if the client
-- has got another value in the slot meanwhile.
with fence as materialized (
  select true as is_open
  where mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) = 'open'
),
found as (
  delete from mintmark.pool_free
  where pool_id = :pool_id and block_id = :block_id and place = :place
    and (select is_open from fence)
    and not exists (
      select from mintmark.pool_block
      where block_id = :block_id and (draining or removed_at is not null or :place::bigint <@ excluded_places))
  returning held_until
),
roused as (
  delete from mintmark.pool_quarantine
  where pool_id = :pool_id and block_id = :block_id and place = :place and last_client = :client
    and (select is_open from fence)
    and not exists (
      select from mintmark.pool_block
      where block_id = :block_id and (draining or removed_at is not null or :place::bigint <@ excluded_places))
  returning held_until
),
issued as (
  update mintmark.pool_block
  set issued = issued + 1, version = version + 1
  where block_id = :block_id and version = :version and not draining and removed_at is null
    and (select is_open from fence)
    and (not_before is null or not_before <= now())
    and not exists (
      select from mintmark.pool_free where pool_id = :pool_id and block_id = :block_id and place = :place)
    and not exists (
      select from mintmark.pool_claim where pool_id = :pool_id and block_id = :block_id and place = :place)
    and not exists (
      select from mintmark.pool_quarantine where pool_id = :pool_id and block_id = :block_id and place = :place)
  returning held_until
),
taken as materialized (
  select held_until, clock_timestamp() as taken_at from found
  union all
  select held_until, clock_timestamp() from roused
  union all
  select held_until, clock_timestamp() from issued
)
insert into mintmark.pool_claim (
  pool_id, block_id, place, client, slot, owner, token, claimed_at, lease, expires_at, previous_end)
select
  pool.pool_id,
  :block_id,
  :place,
  :client,
  :slot,
  :owner::text,
  nextval('mintmark.pool_token'),
  taken.taken_at,
  coalesce(:lease_millis::bigint * interval '1 millisecond', pool.lease),
  least(taken.taken_at + coalesce(:lease_millis::bigint * interval '1 millisecond', pool.lease), pool_supply.until),
  taken.held_until
from taken
join mintmark.pool on pool.pool_id = :pool_id
left join mintmark.pool_block on pool_block.block_id = :block_id
left join mintmark.pool_supply using (supply_id)
returning client, slot, block_id, place, owner, token, claimed_at, expires_at, previous_end
