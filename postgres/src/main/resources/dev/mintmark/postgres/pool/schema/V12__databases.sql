-- Pools in several databases: each pool is in one of them, and can be moved to another while clients use it.
--
--   here      moving_since is null
--   leaving   moving_since is set, and no row of pool_arrival: nothing is granted. If the program that moves it has
--             gone, a sweep ends that (end_departures.sql).
--   arriving  a row of pool_arrival without arrived_at: a copy, which is not used. It is the pool as soon as the database
--             that it came from has the departure of the same move; then it is made the pool (arrive.sql).
--   moved     in the database that it left: no pool, and a row of pool_departure.
--
-- One block, in which pg_catalog is first on the search path. Locks: mintmark.pool, for a moment, to add a column.
do $script$
declare
  path constant pg_catalog.text := pg_catalog.current_setting('search_path');
begin
perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

alter table mintmark.pool add column moving_since timestamptz;

comment on column mintmark.pool.moving_since is
  'since when it grants nothing because it leaves for another database, or arrives from one; null: neither';

create index pool_moving_since on mintmark.pool (moving_since) where moving_since is not null;

create table mintmark.pool_departure (
  move_id     uuid primary key,
  name        text not null,
  pool_id     integer not null,
  database    text not null,
  departed_at timestamptz not null default clock_timestamp()
);

create index pool_departure_name on mintmark.pool_departure (name, departed_at);

comment on table mintmark.pool_departure is 'pools that were moved from here to another database';

create table mintmark.pool_arrival (
  pool_id        integer primary key references mintmark.pool on delete cascade,
  move_id        uuid not null,
  source         text not null,
  source_pool_id integer not null,
  arrived_at     timestamptz
);

comment on table mintmark.pool_arrival is 'pools that were moved here from another database';
comment on column mintmark.pool_arrival.source is 'the name of the database that it came from';
comment on column mintmark.pool_arrival.arrived_at is 'since when the pool is here; null: it is still there, or this is not known yet';

-- A name that an instance creates a pool of, in one of the databases: of no use in others than the first one.
create table mintmark.pool_name (
  name     text primary key,
  holder   uuid not null,
  taken_at timestamptz not null default clock_timestamp()
);

comment on table mintmark.pool_name is 'names of pools that are being created; a row of a program that was killed is taken over after minutes';

-- As in V5__slices.sql, and: fenced, while the pool leaves or arrives.
create or replace function mintmark.pool_fence(pool integer, known uuid, seen_token bigint) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $function$
begin
  return (
    select case
      when latest.epoch is distinct from known
        or latest.timeline is distinct from mintmark.pool_timeline()
        or pool.epoch is distinct from known
        or pool.moving_since is not null
        or coalesce((select last_value from mintmark.pool_token where is_called), 0) < seen_token then 'fenced'
      when pool.stopped_at is not null then 'stopped'
      when exists (
        select from mintmark.pool_slice
        where pool_slice.pool_id = pool_fence.pool and usable_until > now()) then 'sliced'
      else 'open'
    end
    from mintmark.pool
    left join (select epoch, timeline from mintmark.pool_epoch order by number desc limit 1) as latest on true
    where pool.pool_id = pool_fence.pool);
end
$function$;

-- As in V7__sql_claims.sql, but not that of a copy that has not arrived.
create or replace function mintmark.pool_settings(pool_name text) returns mintmark.pool
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $function$
declare
  settings mintmark.pool;
  moved_to text;
begin
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    raise invalid_transaction_state using
      message = format('pool %s: the transaction is %s: expected read committed',
        coalesce(mintmark.pool_quoted(pool_name), 'null'), current_setting('transaction_isolation')),
      hint = 'Begin it with: begin isolation level read committed.';
  end if;
  select * into settings
  from mintmark.pool
  where name = pool_name and not exists (
    select from mintmark.pool_arrival
    where pool_arrival.pool_id = pool.pool_id and arrived_at is null);
  if not found then
    select database into moved_to from mintmark.pool_departure where name = pool_name order by departed_at desc limit 1;
    raise undefined_object using
      message = format('no pool %s', coalesce(mintmark.pool_quoted(pool_name), 'null')),
      hint = coalesce(
        'It was moved to the database ' || mintmark.pool_quoted(moved_to) || '.',
        'The names of the pools: select name from mintmark.pool.');
  end if;
  return settings;
end
$function$;

-- As in V11__limits.sql, and: contended, if the pool was moved to another database meanwhile.
create or replace function mintmark.renew_value(pool text, value text, token bigint, lease interval default null)
returns table (outcome text, expires_at timestamptz, retry_after interval)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
set lock_timeout = '2s'
as $function$
#variable_conflict use_column
declare
  settings constant mintmark.pool := mintmark.pool_settings(renew_value.pool);
  for_lease constant interval := make_interval(secs => extract(epoch from renew_value.lease)::double precision);
  named record;
begin
  perform mintmark.pool_check_lease(renew_value.lease);
  select * into named from mintmark.pool_place(settings.pool_id, renew_value.value);
  if not mintmark.pool_announce_lease(settings, for_lease) then
    outcome := 'contended';
    retry_after := interval '1 second';
    return next;
    return;
  end if;
  begin
    update mintmark.pool_claim held
    set
      lease = case when held.expires_at is not null then coalesce(for_lease, held.lease) end,
      expires_at = case
        when held.expires_at is not null
        then greatest(held.expires_at, clock_timestamp() + coalesce(for_lease, held.lease))
      end
    where held.pool_id = settings.pool_id and held.block_id = named.block_id and held.place = named.place
      and held.token = renew_value.token
      and held.slice_id is null
      and (held.expires_at is null or held.expires_at > clock_timestamp())
    returning 'renewed', held.expires_at into outcome, expires_at;
  exception
    when lock_not_available or deadlock_detected then
      outcome := 'contended';
      retry_after := interval '1 second';
  end;
  if outcome is null then
    outcome := case
      when not exists (select from mintmark.pool where pool_id = settings.pool_id) then 'contended'
      when exists (
        select from mintmark.pool_claim held
        where held.pool_id = settings.pool_id and held.block_id = named.block_id and held.place = named.place
          and (held.expires_at is null or held.expires_at > clock_timestamp())) then 'superseded'
      else 'not-held'
    end;
    if outcome = 'contended' then
      retry_after := interval '1 second';
    end if;
  end if;
  return next;
end
$function$;

-- As in V7__sql_claims.sql, and: contended, if the pool was moved to another database meanwhile.
create or replace function mintmark.release_value(pool text, value text, token bigint)
returns table (outcome text, free_at timestamptz, retry_after interval)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
set lock_timeout = '2s'
as $function$
#variable_conflict use_column
declare
  settings constant mintmark.pool := mintmark.pool_settings(release_value.pool);
  named record;
  ended mintmark.pool_claim;
  block mintmark.pool_block;
  at timestamptz;
  closed boolean;
begin
  select * into named from mintmark.pool_place(settings.pool_id, release_value.value);
  begin
    delete from mintmark.pool_claim held
    where held.pool_id = settings.pool_id and held.block_id = named.block_id and held.place = named.place
      and held.token = release_value.token
      and held.slice_id is null
    returning * into ended;
  exception
    when lock_not_available or deadlock_detected then
      outcome := 'contended';
      retry_after := interval '1 second';
      return next;
      return;
  end;
  if ended.token is null then
    outcome := case
      when not exists (select from mintmark.pool where pool_id = settings.pool_id) then 'contended'
      when exists (
        select from mintmark.pool_claim held
        where held.pool_id = settings.pool_id and held.block_id = named.block_id and held.place = named.place
          and (held.expires_at is null or held.expires_at > clock_timestamp())) then 'superseded'
      else 'not-held'
    end;
    if outcome = 'contended' then
      retry_after := interval '1 second';
    end if;
    return next;
    return;
  end if;
  at := clock_timestamp();
  select * into block from mintmark.pool_block where block_id = ended.block_id;
  closed := coalesce(block.not_before > at, false);
  outcome := 'released';
  free_at := greatest(least(at, ended.expires_at) + settings.quarantine, block.not_before);
  if settings.history is not null then
    insert into mintmark.pool_history (
      pool_id, block_id, place, client, slot, owner, token, claimed_at, ended_at, ending)
    values (
      ended.pool_id, ended.block_id, ended.place, ended.client, ended.slot, ended.owner, ended.token, ended.claimed_at,
      least(at, ended.expires_at), case when ended.expires_at <= at then 'expired' else 'released' end);
  end if;
  if settings.quarantine > interval '0' or closed then
    insert into mintmark.pool_quarantine (pool_id, block_id, place, until, last_client, last_slot, last_token, held_until)
    values (
      ended.pool_id, ended.block_id, ended.place, free_at, case when not closed then ended.client end,
      case when not closed then ended.slot end, ended.token, greatest(coalesce(ended.expires_at, at), ended.previous_end));
  else
    if not block.draining and not ended.place <@ block.excluded_places
      and not (select any_free from mintmark.pool_standing(settings)) then
      perform pg_notify('mintmark_pool', settings.pool_id::text);
    end if;
    insert into mintmark.pool_free (pool_id, block_id, place, last_client, last_slot, last_token, held_until)
    values (
      ended.pool_id, ended.block_id, ended.place, ended.client, ended.slot, ended.token,
      greatest(coalesce(ended.expires_at, at), ended.previous_end));
  end if;
  return next;
end
$function$;

perform pg_catalog.set_config('search_path', path, true);
end
$script$;
