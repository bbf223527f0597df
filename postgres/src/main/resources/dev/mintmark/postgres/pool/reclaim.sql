-- Gives each slot of a client in a batch the value that it had last, if that is free or in quarantine. Skips slots that
-- have a value. Returns a row for each slot that got its value: granted if the value was free, roused if it was in
-- quarantine.
--
-- Parameters: pool_id; epoch, seen_token, clients, slots, owners, lease_millis (as in claim.sql, which says so if the pool
--   may not grant values: nothing is given then).
-- Locks: the rows it takes, skipping locked ones; then the clients and slots, in their order.
with request as materialized (
  select r.client, r.slot, r.owner, r.lease_millis
  from unnest(:clients::text[], :slots::integer[], :owners::text[], :lease_millis::bigint[])
    as r (client, slot, owner, lease_millis)
  where (
    select true from mintmark.pool_claim held
    where held.pool_id = :pool_id and held.client = r.client and held.slot = r.slot
    limit 1) is null
    and (select mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token)) = 'open'
),
in_quarantine as materialized (
  select last.row_id, request.client, request.slot
  from request
  cross join lateral (
    select ctid as row_id
    from mintmark.pool_quarantine
    where pool_id = :pool_id and last_client = request.client and last_slot = request.slot
    order by last_token desc
    limit 1
    for update skip locked
  ) as last
),
idle as materialized (
  select last.row_id
  from request
  cross join lateral (
    select ctid as row_id
    from mintmark.pool_free
    where pool_id = :pool_id and last_client = request.client and last_slot = request.slot
    order by last_token desc
    limit 1
    for update skip locked
  ) as last
  where (request.client, request.slot) not in (select client, slot from in_quarantine)
),
roused as (
  delete from mintmark.pool_quarantine
  where ctid = any (array(select row_id from in_quarantine))
  returning block_id, place, until, last_client, last_slot, last_token, held_until
),
found as (
  delete from mintmark.pool_free
  where ctid = any (array(select row_id from idle))
  returning block_id, place, last_client, last_slot, last_token, held_until
),
taken as materialized (
  select block_id, place, until, last_client, last_slot, last_token, held_until, clock_timestamp() as taken_at
  from roused
  union all
  select block_id, place, null, last_client, last_slot, last_token, held_until, clock_timestamp()
  from found
),
granted as (
  insert into mintmark.pool_claim (
    pool_id, block_id, place, client, slot, owner, token, claimed_at, lease, expires_at, previous_end)
  select
    pool.pool_id,
    taken.block_id,
    taken.place,
    request.client,
    request.slot,
    request.owner,
    nextval('mintmark.pool_token'),
    taken.taken_at,
    coalesce(request.lease_millis * interval '1 millisecond', pool.lease),
    least(taken.taken_at + coalesce(request.lease_millis * interval '1 millisecond', pool.lease), pool_supply.until),
    taken.held_until
  from taken
  join request on request.client = taken.last_client and request.slot = taken.last_slot
  join mintmark.pool_block using (block_id)
  join mintmark.pool using (pool_id)
  left join mintmark.pool_supply using (supply_id)
  where not pool_block.draining and not taken.place <@ pool_block.excluded_places
  order by request.client, request.slot
  on conflict (pool_id, client, slot) do nothing
  returning block_id, place, client, slot, owner, token, claimed_at, expires_at, previous_end
),
quarantined as (
  insert into mintmark.pool_quarantine (
    pool_id, block_id, place, until, last_client, last_slot, last_token, held_until)
  select :pool_id, block_id, place, until, last_client, last_slot, last_token, held_until
  from taken
  where until is not null and (block_id, place) not in (select block_id, place from granted)
),
freed as (
  insert into mintmark.pool_free (pool_id, block_id, place, last_client, last_slot, last_token, held_until)
  select :pool_id, block_id, place, last_client, last_slot, last_token, held_until
  from taken
  where until is null and (block_id, place) not in (select block_id, place from granted)
)
select
  case when until is null then 'granted' else 'roused' end as outcome,
  granted.client, granted.slot, block_id, place, owner, token, claimed_at, expires_at, previous_end, true as in_epoch
from granted
join taken using (block_id, place)
