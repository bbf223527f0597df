-- Gives each slot of a client in a batch a free value, or finds the value that it has. Returns a row for each slot with
-- a known outcome:
--   granted    the slot has got the value
--   held       the slot had the value already
--   ended      the slot had a value, but its lease has ended and no sweep has run since
--   full       the client would hold more values than the pool allows
--   due        so it would, unless claims of the client whose lease has ended are swept
--   last       the value that it had last is free, or in quarantine: see reclaim.sql; nothing was given to it here
--   contended  another session was claiming for the slot at the same moment: try again
--   withdraw   the search met a value that is not handed out any more: try again after withdraw.sql
--   fenced     the database may have gone back (see V3__epochs.sql): try again in the present epoch, with the pool settled
--   stopped    the pool grants nothing since it was found that the database may have gone back
--   cut-off    the blocks of the pool come from another one, and end (see V13__supplies.sql)
--   sliced     instances grant the values of the pool from their slices (see V5__slices.sql)
-- A row with a claim says whether the database is in the epoch that the instance knows (in_epoch): a value that the slot had
-- already is found in any.
-- A slot without a row got no value: none was free, or all free values were locked by claims in progress.
--
-- Parameters: pool_id; epoch (that the instance knows) and seen_token (the greatest that it saw); clients, slots, owners, lease_millis (arrays of one length, each client and slot once; a null
--   lease is the pool's); sticky (whether to look for last values); start_block and start_place (the value where the
--   search starts: up to the last value, then from the first).
-- A claim begins when its value was locked, not when the transaction began: in the history it follows the claim before. It
-- ends before its block does.
-- Held values are looked up with a limit: one index search for each slot, whatever the statistics say, by a generic
-- plan without sequential scans (Transactions.byIndex).
-- Locks: the free rows it takes, in ascending order from the start, skipping locked ones; then the clients and slots,
--   in their order, so that two batches with the same clients wait for one another but do not deadlock.
with fence as materialized (
  select
    mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) as state,
    (select per_client from mintmark.pool where pool_id = :pool_id) as per_client
),
asked as materialized (
  select
    r.*,
    fence.state <> 'fenced' as in_epoch,
    case
      when (
        select true from mintmark.pool_claim held
        where held.pool_id = :pool_id and held.client = r.client and held.slot = r.slot
        limit 1) then 'held'
      when fence.state <> 'open' then fence.state
      else coalesce(
        (
          -- As mintmark.pool_slot_open says.
          select
            case
              when r.slot + count(*) - count(*) filter (where expires_at <= clock_timestamp()) >= fence.per_client then 'full'
              else 'due'
            end
          from mintmark.pool_claim above
          where above.pool_id = :pool_id and above.client = r.client and above.slot > r.slot
          having r.slot + count(*) >= fence.per_client),
        case
          when :sticky and (
            select true from mintmark.pool_free last
            where last.pool_id = :pool_id and last.last_client = r.client and last.last_slot = r.slot
            limit 1) then 'last'
          when :sticky and (
            select true from mintmark.pool_quarantine last
            where last.pool_id = :pool_id and last.last_client = r.client and last.last_slot = r.slot
            limit 1) then 'last'
        end)
    end as has
  from unnest(:clients::text[], :slots::integer[], :owners::text[], :lease_millis::bigint[])
    with ordinality as r (client, slot, owner, lease_millis, ordinal)
  cross join fence
),
request as materialized (
  select client, slot, owner, lease_millis, row_number() over (order by ordinal) as rank
  from asked
  where has is null
),
ahead as materialized (
  select ctid
  from mintmark.pool_free
  where pool_id = :pool_id and (block_id, place) >= (:start_block, :start_place)
  order by block_id, place
  limit (select count(*) from request)
  for update skip locked
),
around as materialized (
  select ctid
  from mintmark.pool_free
  where pool_id = :pool_id and (block_id, place) < (:start_block, :start_place)
  order by block_id, place
  limit (select (select count(*) from request) - (select count(*) from ahead))
  for update skip locked
),
taken as (
  delete from mintmark.pool_free
  where ctid = any (array(select ctid from ahead union all select ctid from around))
  returning block_id, place, last_client, last_slot, last_token, held_until
),
numbered as (
  select
    taken.*,
    clock_timestamp() as taken_at,
    row_number() over (
      order by
        case when pool.value_order = 'ascending' then block_id end,
        case when pool.value_order = 'ascending' then place end) as rank
  from taken
  left join mintmark.pool on pool.pool_id = :pool_id
),
granted as (
  insert into mintmark.pool_claim (
    pool_id, block_id, place, client, slot, owner, token, claimed_at, lease, expires_at, previous_end)
  select
    pool.pool_id,
    numbered.block_id,
    numbered.place,
    request.client,
    request.slot,
    request.owner,
    nextval('mintmark.pool_token'),
    numbered.taken_at,
    coalesce(request.lease_millis * interval '1 millisecond', pool.lease),
    least(
      numbered.taken_at + coalesce(request.lease_millis * interval '1 millisecond', pool.lease), pool_supply.until),
    numbered.held_until
  from numbered
  join request using (rank)
  join mintmark.pool_block using (block_id)
  join mintmark.pool using (pool_id)
  left join mintmark.pool_supply using (supply_id)
  where not pool_block.draining and not numbered.place <@ pool_block.excluded_places
  order by request.client, request.slot
  on conflict (pool_id, client, slot) do nothing
  returning block_id, place, client, slot, owner, token, claimed_at, expires_at, previous_end
),
given_back as (
  insert into mintmark.pool_free (pool_id, block_id, place, last_client, last_slot, last_token, held_until)
  select :pool_id, block_id, place, last_client, last_slot, last_token, held_until
  from numbered
  where (block_id, place) not in (select block_id, place from granted)
)
select
  'granted' as outcome, client, slot, block_id, place, owner, token, claimed_at, expires_at, previous_end, true as in_epoch
from granted
union all
select
  case when expires_at <= clock_timestamp() then 'ended' else 'held' end,
  held.client, held.slot, block_id, place, held.owner, token, claimed_at, expires_at, previous_end, asked.in_epoch
from asked
cross join lateral (
  select * from mintmark.pool_claim
  where pool_claim.pool_id = :pool_id and pool_claim.client = asked.client and pool_claim.slot = asked.slot
  limit 1
) as held
union all
select has, client, slot, null, null, null, null, null, null, null, null
from asked
where has <> 'held'
union all
select
  case
    when (
      select draining or numbered.place <@ excluded_places
      from mintmark.pool_block
      where pool_block.block_id = numbered.block_id) then 'withdraw'
    else 'contended'
  end,
  client, slot, block_id, place, null, null, null, null, null, null
from numbered
join request using (rank)
where (block_id, place) not in (select block_id, place from granted)
