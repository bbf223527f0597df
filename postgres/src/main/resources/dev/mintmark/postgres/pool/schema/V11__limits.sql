-- Limits that hold however claims end, and other corrections of V7__sql_claims.sql: it replaces pool_draw, pool_end_claims,
-- pool_free_due, pool_within_quota, pool_attempt, claim_value and renew_value. What owners and clients hold is counted
-- with the claims whose lease has ended and that are not swept, because a renewal may still extend them.
--
-- One block, in which pg_catalog is first on the search path, so that types mean the same wherever functions are created.
-- Locks: none.
do $script$
declare
  path constant pg_catalog.text := pg_catalog.current_setting('search_path');
begin
perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

-- Their backslashes mean themselves, whatever the session of a caller has set.
alter function mintmark.pool_gaps(cidr, int8range, bigint, text[]) set standard_conforming_strings = on;
alter function mintmark.pool_parse_address(text) set standard_conforming_strings = on;
alter function mintmark.pool_place(integer, text) set standard_conforming_strings = on;
alter function mintmark.pool_quoted(text) set standard_conforming_strings = on;
alter function mintmark.pool_check_name(text, text) set standard_conforming_strings = on;
alter function mintmark.pool_prefix(cidr, integer, bigint) set standard_conforming_strings = on;

-- Draws values from the blocks of a pool. Skips blocks that another session has locked. Returns how many became free;
-- null if none did because a block is locked.
-- Locks: the blocks it draws from, until the transaction ends.
create or replace function mintmark.pool_draw(settings mintmark.pool, wanted bigint) returns bigint
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
  chosen integer;
  tried integer[] := '{}';
  block mintmark.pool_block;
  made bigint := 0;
  skipped boolean := false;
begin
  while made < wanted loop
    select block_id into chosen
    from mintmark.pool_block
    where pool_id = settings.pool_id and issued + withheld < size and not draining and removed_at is null
      and (not_before is null or not_before <= clock_timestamp())
      and block_id <> all (tried)
    order by
      case when settings.value_order = 'ascending' then block_id end,
      -- a random block, with a probability in proportion to the values left
      -ln(1 - random()) / (size - issued - withheld)
    limit 1;
    exit when not found;
    tried := tried || chosen;
    select * into block
    from mintmark.pool_block
    where block_id = chosen and issued + withheld < size and not draining and removed_at is null
      and (not_before is null or not_before <= clock_timestamp())
    for update skip locked;
    if found then
      -- The order may have changed until the block was locked.
      made := made + mintmark.pool_draw_block(
        block, (select value_order from mintmark.pool where pool_id = settings.pool_id), wanted - made);
    else
      skipped := true;
    end if;
  end loop;
  return case when made > 0 or not skipped then made end;
end
$function$;

-- Ends claims whose lease has ended, as sweep.sql does: into quarantine, or to the free values if that is over too.
-- Returns how many values became free. The caller has locked the claims. The time is read once: a value whose quarantine
-- ends meanwhile would be in neither or in both.
create or replace function mintmark.pool_end_claims(settings mintmark.pool, tokens bigint[]) returns bigint
language sql volatile
set search_path = pg_catalog, pg_temp
as $function$
  with moment as materialized (
    select clock_timestamp() as at
  ),
  ended as (
    delete from mintmark.pool_claim
    where pool_id = settings.pool_id and token = any (tokens) and expires_at <= (select at from moment)
    returning *
  ),
  given as materialized (
    select
      ended.*,
      greatest(expires_at + settings.quarantine, not_before) as free_at,
      at,
      coalesce(not_before > at, false) as closed
    from ended
    join mintmark.pool_block using (pool_id, block_id)
    cross join moment
  ),
  quarantined as (
    insert into mintmark.pool_quarantine (
      pool_id, block_id, place, until, last_client, last_slot, last_token, held_until)
    select
      pool_id, block_id, place, free_at,
      case when not closed then client end, case when not closed then slot end, token, greatest(expires_at, previous_end)
    from given
    where free_at > at
  ),
  freed as (
    insert into mintmark.pool_free (pool_id, block_id, place, last_client, last_slot, last_token, held_until)
    select pool_id, block_id, place, client, slot, token, greatest(expires_at, previous_end)
    from given
    where free_at <= at
    returning 1
  ),
  recorded as (
    insert into mintmark.pool_history (
      pool_id, block_id, place, client, slot, owner, token, claimed_at, ended_at, ending)
    select pool_id, block_id, place, client, slot, owner, token, claimed_at, expires_at, 'expired'
    from given
    where settings.history is not null
  )
  select count(*) from freed
$function$;

-- Frees values that can be claimed and whose lease and quarantine are over, a few at a time, skipping those that others have
-- locked. The others stay for the sweeps, and so do those of drained blocks. Returns how many became free.
create or replace function mintmark.pool_free_due(settings mintmark.pool) returns bigint
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
  freed bigint;
begin
  with due as materialized (
    select ctid as row_id
    from mintmark.pool_quarantine
    where pool_id = settings.pool_id and until <= clock_timestamp()
      and (
        select draining or place <@ excluded_places
        from mintmark.pool_block
        where pool_block.block_id = pool_quarantine.block_id) is false
    order by until
    limit 16
    for update skip locked
  ),
  recovered as (
    delete from mintmark.pool_quarantine
    where ctid = any (array(select row_id from due))
    returning *
  ),
  inserted as (
    insert into mintmark.pool_free (pool_id, block_id, place, last_client, last_slot, last_token, held_until)
    select pool_id, block_id, place, last_client, last_slot, last_token, held_until
    from recovered
    returning 1
  )
  select count(*) into freed from inserted;
  if freed = 0 then
    freed := mintmark.pool_end_claims(
      settings,
      array(
        select token
        from mintmark.pool_claim
        where pool_id = settings.pool_id and expires_at <= clock_timestamp() - settings.quarantine
          and (
            select draining or place <@ excluded_places
            from mintmark.pool_block
            where pool_block.block_id = pool_claim.block_id) is false
        order by expires_at
        limit 16
        for update skip locked));
  end if;
  if freed > 1 then
    perform pg_notify('mintmark_pool', settings.pool_id::text);
  end if;
  return freed;
end
$function$;

-- Locks the row of an owner, which claims of the owner wait for, and returns whether it may hold one value more. Claims
-- whose lease has ended count until they are ended here: a renewal may be under way. Null: others have locked such a claim.
create or replace function mintmark.pool_within_quota(settings mintmark.pool, for_owner text) returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
  held bigint;
  ended bigint;
begin
  insert into mintmark.pool_owner (pool_id, owner) values (settings.pool_id, for_owner) on conflict do nothing;
  perform from mintmark.pool_owner where pool_id = settings.pool_id and owner = for_owner for update;
  for round in 1 .. 2 loop
    select count(*), count(*) filter (where expires_at <= clock_timestamp()) into held, ended
    from mintmark.pool_claim
    where pool_id = settings.pool_id and owner = for_owner;
    if held < settings.per_owner then
      return true;
    elsif held - ended >= settings.per_owner then
      return false;
    elsif round = 1 then
      perform mintmark.pool_end_claims(
        settings,
        array(
          select token
          from mintmark.pool_claim
          where pool_id = settings.pool_id and owner = for_owner and expires_at <= clock_timestamp()
          for update skip locked));
    end if;
  end loop;
  return null;
end
$function$;

-- Returns whether a client may have a value in a slot: not if those below it, itself and those of the client above it
-- would be more than the pool allows, as is possible after "per_client" was lowered. So two claims at the same time for two
-- slots of a client need not know of one another. claim.sql asks the same.
create function mintmark.pool_slot_open(in_pool integer, per_client integer, for_client text, for_slot integer)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
begin
  return for_slot + (
    select count(*) from mintmark.pool_claim
    where pool_id = in_pool and client = for_client and slot > for_slot) < per_client;
end
$function$;

-- Claims once. Outcomes: those of claim_value; "none" if no value is free that is not locked; "again" if the state has
-- changed meanwhile: what was taken must be rolled back.
--
-- Parameters: epoch (that the caller knows) and seen_token (the greatest that it saw), as in claim.sql; block and at_place:
--   of the value if one is named, otherwise null.
-- Locks: the claim that has ended, if the slot has one; the row of the owner; the row of the value; the block, if the named
--   value was never drawn; the client and slot.
create or replace function mintmark.pool_attempt(
  settings mintmark.pool, epoch uuid, seen_token bigint, for_client text, for_owner text, for_lease interval,
  for_slot integer, block integer, at_place bigint, out outcome text, out claim mintmark.pool_claim)
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
  in_slot integer := for_slot;
  fence text;
  slot_open boolean;
begin
  -- The second round is after the lock of the owner: the slot may have been filled while it was awaited.
  for round in 1 .. case when settings.per_owner is null then 1 else 2 end loop
    select * into claim
    from mintmark.pool_claim held
    where held.pool_id = settings.pool_id
      and case
        when block is null then held.client = for_client and held.slot = for_slot
        else held.block_id = block and held.place = at_place
      end;
    if claim.token is not null and (claim.expires_at is null or claim.expires_at > clock_timestamp()) then
      outcome := case when claim.client = for_client then 'held' else 'taken' end;
      return;
    end if;
    if round = 1 then
      fence := mintmark.pool_fence(settings.pool_id, pool_attempt.epoch, seen_token);
      if fence <> 'open' then
        outcome := fence;
        return;
      end if;
      slot_open := block is not null
        or mintmark.pool_slot_open(settings.pool_id, settings.per_client, for_client, for_slot);
      if claim.token is not null or block is not null or not slot_open then
        perform mintmark.pool_end_claims(
          settings,
          array(
            select token
            from mintmark.pool_claim held
            where held.pool_id = settings.pool_id and held.expires_at <= clock_timestamp()
              and (held.token = claim.token or ((block is not null or not slot_open) and held.client = for_client))
            for update));
      end if;
      if settings.per_owner is not null then
        outcome := case mintmark.pool_within_quota(settings, for_owner)
          when true then null
          when false then 'quota-owner'
          else 'again'
        end;
      end if;
    end if;
  end loop;
  if outcome is not null then
    return;
  end if;
  if block is null then
    if not slot_open
      and not mintmark.pool_slot_open(settings.pool_id, settings.per_client, for_client, for_slot) then
      outcome := 'quota-client';
      return;
    end if;
    claim := mintmark.pool_take_any(settings, for_client, for_slot, for_owner, for_lease);
  else
    select min(free_slot) into in_slot
    from generate_series(0, settings.per_client - 1) as free_slot
    where free_slot not in (
      select slot from mintmark.pool_claim where pool_id = settings.pool_id and client = for_client);
    if in_slot is null
      or not mintmark.pool_slot_open(settings.pool_id, settings.per_client, for_client, in_slot) then
      outcome := 'quota-client';
      return;
    end if;
    claim := mintmark.pool_take_named(settings, block, at_place, for_client, in_slot, for_owner, for_lease);
  end if;
  outcome := case
    when claim.token is null then case when block is null then 'none' else 'taken' end
    when mintmark.pool_fence(settings.pool_id, pool_attempt.epoch, seen_token) <> 'open' then 'again'
    else 'granted'
  end;
end
$function$;

-- Claims a value of a pool for a client, or returns what it holds. docs/pools-sql.md has the outcomes.
create or replace function mintmark.claim_value(
  pool text, client text, owner text default null, lease interval default null, slot integer default 0,
  wanted text default null)
returns table (
  outcome text, value text, token bigint, claimed_at timestamptz, expires_at timestamptz, retry_after interval)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $function$
#variable_conflict use_column
declare
  settings constant mintmark.pool := mintmark.pool_settings(claim_value.pool);
  until constant timestamptz := clock_timestamp() + interval '2 seconds';
  for_lease constant interval := make_interval(secs => extract(epoch from claim_value.lease)::double precision);
  named record;
  known record;
  attempt record;
  made bigint;
  standing record;
  pause double precision := 0.004;
  last_round boolean;
begin
  perform mintmark.pool_check_name('client', claim_value.client);
  if claim_value.owner is not null then
    perform mintmark.pool_check_name('owner', claim_value.owner);
  elsif settings.per_owner is not null then
    raise invalid_parameter_value using
      message = format('pool "%s" gives an owner %s values: the claim must name its owner',
        settings.name, settings.per_owner),
      hint = 'Pass the owner as the third argument.';
  end if;
  perform mintmark.pool_check_lease(claim_value.lease);
  perform mintmark.pool_check_ipv6(settings, claim_value.client);
  if claim_value.slot is null or claim_value.slot < 0 or claim_value.slot >= 1000 then
    raise invalid_parameter_value using
      message = format('slot %s: expected a slot from 0, and at most 1000 slots', coalesce(claim_value.slot::text, 'null')),
      hint = 'A pool says with per_client how many slots a client has.';
  end if;
  if not mintmark.pool_admits(settings, coalesce(claim_value.owner, claim_value.client)) then
    outcome := 'not-open';
    return next;
    return;
  end if;
  if claim_value.wanted is null then
    select null::integer as block_id, null::bigint as place into named;
    if claim_value.slot >= settings.per_client then
      outcome := 'quota-client';
      return next;
      return;
    end if;
  else
    select * into named from mintmark.pool_require_place(settings, claim_value.wanted);
    if exists (
      select from mintmark.pool_block where block_id = named.block_id and named.place <@ excluded_places)
      and not exists (
        select from mintmark.pool_claim
        where pool_id = settings.pool_id and block_id = named.block_id and place = named.place) then
      raise invalid_parameter_value using
        message = format('pool %s excludes %s',
          mintmark.pool_quoted(settings.name), mintmark.pool_quoted(claim_value.wanted)),
        hint = 'End the exclusion with mintmark pool include.';
    end if;
  end if;
  if not mintmark.pool_announce_lease(settings, for_lease) then
    outcome := 'contended';
    retry_after := interval '1 second';
    return next;
    return;
  end if;
  loop
    last_round := clock_timestamp() >= until;
    -- A session of SQL remembers nothing: what it knows is the latest epoch, and the last token before that.
    select epoch, last_token into known from mintmark.pool_epoch order by number desc limit 1;
    select * into attempt
    from mintmark.pool_try(
      settings, known.epoch, known.last_token, claim_value.client, claim_value.owner, for_lease, claim_value.slot,
      named.block_id, named.place);
    exit when attempt.outcome not in ('none', 'again');
    if attempt.outcome = 'none' and not last_round then
      made := mintmark.pool_draw(settings, 1024);
      continue when made > 0;
      continue when mintmark.pool_free_due(settings) > 0;
      select * into standing from mintmark.pool_standing(settings);
      if made is not null and not standing.any_free
        and (standing.next_due is null or standing.next_due > clock_timestamp()) then
        outcome := 'exhausted';
        retry_after := coalesce(standing.next_due - clock_timestamp(), interval '30 seconds');
        return next;
        return;
      end if;
    end if;
    if last_round then
      outcome := 'contended';
      retry_after := interval '1 second';
      return next;
      return;
    end if;
    perform pg_sleep(pause);
    pause := least(pause * 2, 0.2);
  end loop;
  outcome := attempt.outcome;
  if outcome in ('granted', 'held') then
    value := mintmark.pool_value_at((attempt.claim).block_id, (attempt.claim).place);
    token := (attempt.claim).token;
    claimed_at := (attempt.claim).claimed_at;
    expires_at := (attempt.claim).expires_at;
  elsif outcome = 'contended' then
    retry_after := interval '1 second';
  elsif outcome = 'fenced' then
    retry_after := interval '1 second';
    raise notice using
      message = format('pool %s: the database may have gone back, and the pool is not settled',
        mintmark.pool_quoted(settings.name)),
      hint = 'mintmark serve settles all pools within a second; mintmark pool refill settles one.';
  elsif outcome = 'sliced' then
    outcome := 'elsewhere';
    retry_after := interval '1 second';
    raise notice using
      message = format('pool %s: instances grant its values from slices', mintmark.pool_quoted(settings.name)),
      hint = coalesce(
        'Claim at the instance ' || mintmark.pool_quoted(mintmark.pool_home(settings, claim_value.client)) || '.',
        'No instance has the client at present: claim again.');
  elsif outcome = 'stopped' then
    raise notice using
      message = format('pool %s: the database may have lost claims in a failover', mintmark.pool_quoted(settings.name)),
      hint = 'If claims may be lost: mintmark pool quarantine POOL --all. If none is: mintmark pool resume POOL.';
  end if;
  return next;
end
$function$;

-- Extends a claim from now, as renew.sql does. The end of a lease is judged by the clock, not by the begin of the
-- transaction.
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
      when exists (
        select from mintmark.pool_claim held
        where held.pool_id = settings.pool_id and held.block_id = named.block_id and held.place = named.place
          and (held.expires_at is null or held.expires_at > clock_timestamp())) then 'superseded'
      else 'not-held'
    end;
  end if;
  return next;
end
$function$;

perform pg_catalog.set_config('search_path', path, true);
end
$script$;
