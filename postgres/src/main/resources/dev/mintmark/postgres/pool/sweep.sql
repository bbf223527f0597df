-- Moves what is due, in one pool or in all pools: claims whose lease has ended go into quarantine, or to the free
-- values if the pool has no quarantine and the block is open; values whose quarantine has ended go to the free values.
-- Nothing moves in a pool that is on its way to another database: no lease ends meanwhile (arrive.sql).
--
-- Parameters: pool_id (null: every pool); batch (the most rows of each sort that are moved in a pool).
-- Locks: the rows it moves, skipping locked ones, so that any number of instances may sweep.
-- Returns one row: how many claims ended, how many values became free, and the pools that had nothing to hand out
-- before.
with expired as materialized (
  select claim.row_id
  from mintmark.pool
  cross join lateral (
    select ctid as row_id
    from mintmark.pool_claim
    where pool_claim.pool_id = pool.pool_id and expires_at <= now()
    limit :batch
    for update skip locked
  ) as claim
  where pool.moving_since is null and (:pool_id::integer is null or pool.pool_id = :pool_id::integer)
),
ended as (
  delete from mintmark.pool_claim
  where ctid = any (array(select row_id from expired))
  returning *
),
given as (
  select
    ended.*,
    greatest(expires_at + pool.quarantine, not_before) as free_at,
    pool.quarantine > interval '0' or coalesce(not_before > now(), false) as has_quarantine,
    coalesce(not_before > now(), false) as closed,
    pool.history is not null as kept
  from ended
  join mintmark.pool using (pool_id)
  join mintmark.pool_block using (pool_id, block_id)
),
quarantined as (
  insert into mintmark.pool_quarantine (
    pool_id, block_id, place, until, last_client, last_slot, last_token, held_until)
  select
    pool_id, block_id, place, free_at,
    case when not closed then client end, case when not closed then slot end, token, greatest(expires_at, previous_end)
  from given
  where has_quarantine
),
recorded as (
  insert into mintmark.pool_history (
    pool_id, block_id, place, client, slot, owner, token, claimed_at, ended_at, ending)
  select pool_id, block_id, place, client, slot, owner, token, claimed_at, expires_at, 'expired'
  from given
  where kept
),
due as materialized (
  select in_quarantine.row_id
  from mintmark.pool
  cross join lateral (
    select ctid as row_id
    from mintmark.pool_quarantine
    where pool_quarantine.pool_id = pool.pool_id and until <= now()
    limit :batch
    for update skip locked
  ) as in_quarantine
  where pool.moving_since is null and (:pool_id::integer is null or pool.pool_id = :pool_id::integer)
),
recovered as (
  delete from mintmark.pool_quarantine
  where ctid = any (array(select row_id from due))
  returning *
),
freed as (
  insert into mintmark.pool_free (pool_id, block_id, place, last_client, last_slot, last_token, held_until)
  select pool_id, block_id, place, last_client, last_slot, last_token, held_until
  from recovered
  union all
  select pool_id, block_id, place, client, slot, token, greatest(expires_at, previous_end)
  from given
  where not has_quarantine
  returning pool_id, block_id, place
)
select
  (select count(*) from ended) as ended,
  (select count(*) from freed) as freed,
  array(
    select pool_id
    from (
      select distinct freed.pool_id
      from freed
      join mintmark.pool_block using (block_id)
      where not draining and not place <@ excluded_places) as filled
    where (select true from mintmark.pool_free before where before.pool_id = filled.pool_id limit 1) is null
      and not exists (
        select from mintmark.pool_block
        where pool_block.pool_id = filled.pool_id and issued + withheld < size and not draining and removed_at is null
          and (not_before is null or not_before <= now()))
  ) as woken
