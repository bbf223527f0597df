-- Supplies: a pool without blocks of its own, which gets them from another pool, its source, in whichever database. It
-- claims runs of numbers or prefixes there, and each becomes a block (PoolSupply).
--
--   source      claims on behalf of the owner that is named like the supplied pool, one for each block
--   here        a row of pool_supply for each of those claims; the blocks have its supply_id
--
-- A block ends (pool_supply.until) before the claim of it can end in the source, whatever happens to either database and to
-- the programs. A claim of one of its values ends before the block does:
--
--   granted     expires_at = least(now + lease, until)
--   renewed     expires_at = greatest(expires_at, least(now + lease, until))
--
-- So no value is held here when the source gives it away. The end of a block is later each time that its claim was
-- renewed; while the source cannot be asked, it is not, and shortly before it the pool is cut off: pool_fence.
--
--   asked       written before the source is asked for a value, by the name of a client that is used once
--   used        the value is a block; the statement that attaches it needs the row of before
--   lost        the source does not have the claim any more: the block is drained, and its claims are not renewed
--   returned    it is no block (any more), so the claim may be released; then the row is deleted
--
-- A value is released in the source only after it is known here that it is no block: so it can never become one again.
--
-- One block, in which pg_catalog is first on the search path. Locks: mintmark.pool_block, for a moment, to add a column.
do $script$
declare
  path constant pg_catalog.text := pg_catalog.current_setting('search_path');
begin
perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

-- Not a part of mintmark.pool, whose rows transactions of callers may have locked for long.
create table mintmark.pool_source (
  pool_id   integer primary key references mintmark.pool on delete cascade,
  source    text not null,
  keep_free bigint not null check (keep_free >= 0),
  until     timestamptz default '-infinity',
  asked_at  timestamptz
);

comment on table mintmark.pool_source is 'pools that get their blocks from another pool';
comment on column mintmark.pool_source.source is 'the name of that pool, which may be in another database';
comment on column mintmark.pool_source.keep_free is 'with fewer free values, another block is claimed';
comment on column mintmark.pool_source.until is
  'when the first block ends; -infinity: not known since a failover, or since it was created; null: none ends';
comment on column mintmark.pool_source.asked_at is 'when the source was asked last and answered';

create table mintmark.pool_supply (
  supply_id  bigint generated always as identity primary key,
  pool_id    integer not null references mintmark.pool on delete cascade,
  client     text not null unique,
  state      text not null check (state in ('asked', 'used', 'lost', 'returned')),
  changed_at timestamptz not null default clock_timestamp(),
  epoch      uuid not null,
  value      text,
  token      bigint,
  until      timestamptz,
  surplus    boolean not null default false,
  check (state in ('asked', 'returned') or (value is not null and token is not null))
);

create index pool_supply_pool_id on mintmark.pool_supply (pool_id, state);

comment on table mintmark.pool_supply is 'values of sources that pools have claimed, as blocks';
comment on column mintmark.pool_supply.client is 'the client of the claim in the source';
comment on column mintmark.pool_supply.epoch is 'the epoch in which the source was asked';
comment on column mintmark.pool_supply.value is 'the value of the source, as it is declared as a block here';
comment on column mintmark.pool_supply.token is 'the token of the claim in the source';
comment on column mintmark.pool_supply.until is 'when the block ends; null: never';
comment on column mintmark.pool_supply.surplus is
  'drained because the pool has more than it needs: used again if it runs short';

alter table mintmark.pool_block add column supply_id bigint;

create index pool_block_supply_id on mintmark.pool_block (supply_id) where supply_id is not null;

comment on column mintmark.pool_block.supply_id is
  'the claim in the source that it comes from, whose row may have gone when it was removed; null: it was declared';

-- Returns when a block ends, as far as claims of its values are concerned; null: never.
create function mintmark.pool_block_until(block integer) returns timestamptz
language sql stable
set search_path = pg_catalog, pg_temp
as $function$
  select until
  from mintmark.pool_block
  join mintmark.pool_supply using (supply_id)
  where pool_block.block_id = block
$function$;

comment on function mintmark.pool_block_until(integer) is
  'when a block ends that comes from another pool: claims of its values end before; null: never';

-- As in V12__databases.sql, and: cut-off, if the blocks of the pool come from another one and end within a second.
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
      when source.until <= clock_timestamp() + interval '1 second' then 'cut-off'
      when exists (
        select from mintmark.pool_slice
        where pool_slice.pool_id = pool_fence.pool and usable_until > now()) then 'sliced'
      else 'open'
    end
    from mintmark.pool
    left join mintmark.pool_source as source on source.pool_id = pool.pool_id
    left join (select epoch, timeline from mintmark.pool_epoch order by number desc limit 1) as latest on true
    where pool.pool_id = pool_fence.pool);
end
$function$;

comment on function mintmark.pool_fence(integer, uuid, bigint) is
  'whether a pool may grant values to an instance that knows an epoch and has seen a token: open, fenced, stopped, cut-off or sliced';

-- As in V7__sql_claims.sql, and: it ends before its block.
create or replace function mintmark.pool_grant(
  settings mintmark.pool, block integer, at_place bigint, for_client text, for_slot integer, for_owner text,
  for_lease interval, held_until timestamptz) returns mintmark.pool_claim
language sql volatile
set search_path = pg_catalog, pg_temp
as $function$
  insert into mintmark.pool_claim (
    pool_id, block_id, place, client, slot, owner, token, claimed_at, lease, expires_at, previous_end, xact)
  select
    settings.pool_id, block, at_place, for_client, for_slot, for_owner, nextval('mintmark.pool_token'), taken.at,
    coalesce(for_lease, settings.lease),
    least(taken.at + coalesce(for_lease, settings.lease), mintmark.pool_block_until(block)), held_until,
    pg_current_xact_id()
  from (select clock_timestamp() as at) as taken
  returning *
$function$;

-- As in V11__limits.sql, and: contended, if the pool was deleted or moved meanwhile.
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
      if fence is distinct from 'open' then
        outcome := coalesce(fence, 'contended');
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
    when mintmark.pool_fence(settings.pool_id, pool_attempt.epoch, seen_token) is distinct from 'open' then 'again'
    else 'granted'
  end;
end
$function$;

-- As in V11__limits.sql, and: cut-off.
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
        -- A block of the source may come sooner.
        retry_after := least(
          coalesce(standing.next_due - clock_timestamp(), interval '30 seconds'),
          (
            select interval '2 seconds' from mintmark.pool_source
            where pool_id = settings.pool_id and keep_free > 0));
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
  elsif outcome = 'cut-off' then
    retry_after := interval '5 seconds';
    raise notice using
      message = (
        select format('pool %s: its blocks come from pool %s, which could not be asked since %s',
          mintmark.pool_quoted(settings.name), mintmark.pool_quoted(source), coalesce(asked_at::text, 'it was created'))
        from mintmark.pool_source
        where pool_id = settings.pool_id),
      hint = 'Values are granted again when it answers. Claims that are held can be renewed until their blocks end.';
  elsif outcome = 'stopped' then
    raise notice using
      message = format('pool %s: the database may have lost claims in a failover', mintmark.pool_quoted(settings.name)),
      hint = 'If claims may be lost: mintmark pool quarantine POOL --all. If none is: mintmark pool resume POOL.';
  end if;
  return next;
end
$function$;

-- As in V12__databases.sql, and: not beyond the end of the block.
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
        then greatest(
          held.expires_at,
          least(
            clock_timestamp() + coalesce(for_lease, held.lease), mintmark.pool_block_until(held.block_id)))
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

perform pg_catalog.set_config('search_path', path, true);
end
$script$;
