-- Imports the values of pg_temp.mintmark_adopted as claims of their clients: with the lease of the pool from now, in the
-- lowest slots that a client has free. Values that their client holds in the pool already are renewed. Quotas of owners are not
-- checked.
--
-- Parameters: pool_id. Locks: the caller has locked the blocks (lock_blocks.sql); the rows of the values and their claims. Returns how many
-- claims. Values that another session claims at the same moment, or whose slot it fills, are left out, but counted as
-- issued: adopt_missed.sql finds them, and then the caller rolls back.
with wanted as materialized (
  select adopted.*, row_number() over (partition by client order by block_id, place) as rank
  from pg_temp.mintmark_adopted adopted
  where not exists (
    select from mintmark.pool_claim held
    where held.pool_id = :pool_id and held.block_id = adopted.block_id and held.place = adopted.place)
),
vacant as materialized (
  select client, slot, row_number() over (partition by client order by slot) as rank
  from (
    select
      client,
      count(*) + (
        select count(*) from mintmark.pool_claim held
        where held.pool_id = :pool_id and held.client = wanted.client) as slots
    from wanted
    group by client) as asking
  cross join lateral generate_series(0, slots::integer - 1) as slot
  where not exists (
    select from mintmark.pool_claim held
    where held.pool_id = :pool_id and held.client = asking.client and held.slot = slot.slot)
),
renewed as (
  update mintmark.pool_claim held
  set expires_at = greatest(held.expires_at, clock_timestamp() + coalesce(held.lease, pool.lease))
  from pg_temp.mintmark_adopted adopted
  cross join (select lease from mintmark.pool where pool_id = :pool_id) as pool
  where held.pool_id = :pool_id and held.block_id = adopted.block_id and held.place = adopted.place
    and held.client = adopted.client and held.expires_at is not null
),
found as (
  delete from mintmark.pool_free
  using wanted
  where pool_free.pool_id = :pool_id and pool_free.block_id = wanted.block_id and pool_free.place = wanted.place
  returning pool_free.block_id, pool_free.place, pool_free.held_until
),
roused as (
  delete from mintmark.pool_quarantine
  using wanted
  where pool_quarantine.pool_id = :pool_id
    and pool_quarantine.block_id = wanted.block_id
    and pool_quarantine.place = wanted.place
  returning pool_quarantine.block_id, pool_quarantine.place, pool_quarantine.held_until
),
drawn as materialized (
  select block_id, place, held_until from found union all select block_id, place, held_until from roused
),
issued as (
  update mintmark.pool_block
  set issued = issued + fresh.count, version = version + 1
  from (
    select block_id, count(*)
    from wanted
    where (block_id, place) not in (select block_id, place from drawn)
    group by block_id) as fresh
  where pool_block.block_id = fresh.block_id
),
granted as (
  insert into mintmark.pool_claim (
    pool_id, block_id, place, client, slot, owner, token, claimed_at, lease, expires_at, previous_end, xact)
  select
    pool.pool_id, wanted.block_id, wanted.place, wanted.client, vacant.slot, wanted.owner,
    nextval('mintmark.pool_token'), clock_timestamp(), pool.lease, clock_timestamp() + pool.lease,
    coalesce(drawn.held_until, pool_block.held_until), pg_current_xact_id()
  from wanted
  join vacant using (client, rank)
  join mintmark.pool on pool.pool_id = :pool_id
  join mintmark.pool_block on pool_block.block_id = wanted.block_id
  left join drawn on drawn.block_id = wanted.block_id and drawn.place = wanted.place
  on conflict do nothing
  returning 1
)
select count(*) as imported from granted
