-- Gives each client of a batch a free value, or finds the one it holds. Each client that it can say something of has a
-- row, whose outcome is
--   granted    it holds the value from now on
--   held       it held it already
--   ended      it held it, but its lease has ended and nobody has swept it yet
--   contended  another session was claiming for it at the same moment: look again
-- A client without a row got none: no value was free, or all that were free were locked by claims under way.
--
-- Parameters: pool_id; clients, owners, lease_millis (arrays of one length, each client once; a null lease is the
--   pool's); start (the position to search from: up to the end, then round from 0).
-- Locks: the free rows it takes, in ascending order from start, skipping locked ones; then the names of the clients, in
--   their order, so that two batches with the same clients wait for one another but do not deadlock.
with request as (
  select r.client, r.owner, r.lease_millis, row_number() over (order by r.ordinal) as rank
  from unnest(:clients::text[], :owners::text[], :lease_millis::bigint[])
    with ordinality as r (client, owner, lease_millis, ordinal)
  where not exists (
    select from mintmark.pool_claim held where held.pool_id = :pool_id and held.client = r.client)
),
ahead as materialized (
  select position
  from mintmark.pool_free
  where pool_id = :pool_id and position >= :start
  order by position
  limit (select count(*) from request)
  for update skip locked
),
around as materialized (
  select position
  from mintmark.pool_free
  where pool_id = :pool_id and position < :start
  order by position
  limit (select (select count(*) from request) - (select count(*) from ahead))
  for update skip locked
),
taken as (
  delete from mintmark.pool_free
  where pool_id = :pool_id
    and position = any (array(select position from ahead union all select position from around))
  returning position
),
numbered as (
  select position, row_number() over () as rank
  from taken
),
granted as (
  insert into mintmark.pool_claim (pool_id, position, client, owner, token, claimed_at, lease, expires_at)
  select
    pool.pool_id,
    numbered.position,
    request.client,
    request.owner,
    nextval('mintmark.pool_token'),
    now(),
    coalesce(request.lease_millis * interval '1 millisecond', pool.lease),
    now() + coalesce(request.lease_millis * interval '1 millisecond', pool.lease)
  from numbered
  join request using (rank)
  cross join mintmark.pool
  where pool.pool_id = :pool_id
  order by request.client
  on conflict (pool_id, client) do nothing
  returning position, client, owner, token, claimed_at, expires_at
),
given_back as (
  insert into mintmark.pool_free (pool_id, position)
  select :pool_id, position
  from numbered
  where position not in (select position from granted)
)
select 'granted' as outcome, position, client, owner, token, claimed_at, expires_at
from granted
union all
select
  case when expires_at <= now() then 'ended' else 'held' end,
  position, client, owner, token, claimed_at, expires_at
from mintmark.pool_claim
where pool_id = :pool_id and client = any (:clients::text[])
union all
select 'contended', position, client, null, null, null, null
from numbered
join request using (rank)
where position not in (select position from granted)
