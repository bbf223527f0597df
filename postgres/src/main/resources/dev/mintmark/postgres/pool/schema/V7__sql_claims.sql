-- Claims in SQL: functions that claim, renew and release in the transaction of their caller, and views with the values as
-- text. docs/pools-sql.md describes them.
--
-- What is different in a transaction of a caller, which may stay open for long:
--   - A claim names its transaction (pool_claim.xact). A claim of several statements, or one that has ended other claims
--     before, may become visible after claims with greater tokens: probe.sql finds it by its transaction.
--   - Values are drawn without the permutation of the block: as if they were claimed by name ("drawn" is unchanged). So a
--     pool may be drawn by both. The block stays locked until the transaction ends: others skip it.
--   - An epoch does not begin there: others would wait for the transaction. The claim is answered "fenced".
--
-- The functions that are called from outside set how statements are planned, as Transactions.byIndex does and for the same
-- reasons; those that they call inherit it. A dear plan without sequential scans would be compiled (jit) for each call.
--
-- One block, in which pg_catalog is first on the search path, so that views mean the same wherever they are created.
-- Locks: mintmark.pool_claim, for a moment, to add a column.
do $script$
declare
  path constant pg_catalog.text := pg_catalog.current_setting('search_path');
begin
perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

alter table mintmark.pool_claim add column xact xid8;

comment on column mintmark.pool_claim.xact is 'the transaction of a caller that claimed it; null: one of ours';

create index pool_claim_xact on mintmark.pool_claim (pool_id, xact) where xact is not null;

-- Values and places --------------------------------------------------------------------------------------------------

-- Returns the number at an ordinal, counting only the numbers that are in no gap.
create function mintmark.pool_position(gaps int8multirange, ordinal bigint) returns bigint
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $function$
declare
  gap int8range;
  number bigint := ordinal;
begin
  if not isempty(gaps) then
    foreach gap in array array(select unnest(gaps)) loop
      exit when lower(gap) > number;
      number := number + (upper(gap) - lower(gap));
    end loop;
  end if;
  return number;
end
$function$;

-- Returns the positions of a block that have no place: those of its gaps.
create function mintmark.pool_gaps(addresses cidr, numbers int8range, run_length bigint, gaps text[])
returns int8multirange
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $function$
declare
  whole constant boolean := family(addresses) = 4 and masklen(addresses) <= 30;
  host_bits constant integer := case when family(addresses) = 4 then 32 else 128 end - masklen(addresses);
begin
  return coalesce(
    case
      when addresses is not null then (
        select range_agg(
          case
            when addresses <<= gap.block then int8range(0, (1::bigint << host_bits) - case when whole then 2 else 0 end)
            else int8range(
              greatest(gap.first - case when whole then 1 else 0 end, 0),
              least(
                gap.first + gap.count - case when whole then 1 else 0 end,
                (1::bigint << host_bits) - case when whole then 2 else 0 end))
          end)
        from (
          select
            block,
            case when block <<= addresses then network(block) - network(addresses) end as first,
            case
              when block <<= addresses
              then 1::bigint << (case when family(block) = 4 then 32 else 128 end - masklen(block))
            end as count
          from unnest(gaps) as gap (text)
          cross join lateral (select gap.text::cidr as block) as parsed
          where block && addresses) as gap)
      else (
        select range_agg(
          case
            when run_length is null then int8range(below, above)
            else int8range(below / run_length, (above - 1) / run_length + 1)
          end)
        from (
          select
            greatest(bounds[1]::bigint, lower(numbers)) - lower(numbers) as below,
            least(coalesce(bounds[2], bounds[1])::bigint, upper(numbers) - 1) - lower(numbers) + 1 as above
          from unnest(gaps) as gap (text)
          cross join lateral (
            select regexp_match(gap.text, '^([0-9]+)(?:\.\.([0-9]+))?') as bounds) as parsed) as cut
        where below < above)
    end,
    '{}');
end
$function$;

-- Returns the address at a place of a block of addresses.
create function mintmark.pool_address(addresses cidr, gaps text[], place bigint) returns inet
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $function$
begin
  return set_masklen(addresses::inet, case when family(addresses) = 4 then 32 else 128 end)
    + (case
        when gaps = '{}' then place
        else mintmark.pool_position(mintmark.pool_gaps(addresses, null, null, gaps), place)
      end
      + case when family(addresses) = 4 and masklen(addresses) <= 30 then 1 else 0 end);
end
$function$;

-- Returns the number at a place of a block of numbers, or the run: as a range.
create function mintmark.pool_numbers(numbers int8range, run_length bigint, gaps text[], place bigint) returns int8range
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $function$
declare
  position constant bigint := case
    when gaps = '{}' then place
    else mintmark.pool_position(mintmark.pool_gaps(null, numbers, run_length, gaps), place)
  end;
  first constant bigint := lower(numbers) + position * coalesce(run_length, 1);
begin
  return int8range(first, least(first + coalesce(run_length, 1), upper(numbers)));
end
$function$;

-- Returns the value at a place of a block, in its canonical text; listed: the value if the block is a list.
create function mintmark.pool_value(
  addresses cidr, numbers int8range, run_length bigint, gaps text[], place bigint, listed text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $function$
declare
  run int8range;
  address text;
  low text[];
begin
  if addresses is not null then
    address := host(mintmark.pool_address(addresses, gaps, place));
    if family(addresses) = 6 and address like '%.%' then
      -- PostgreSQL writes ::1.2.3.4 for ::102:304 (RFC 5952 section 5 does not ask for it).
      low := string_to_array(ltrim(address, ':'), '.');
      address := '::' || to_hex(low[1]::integer * 256 + low[2]::integer)
        || ':' || to_hex(low[3]::integer * 256 + low[4]::integer);
    end if;
    return address;
  elsif numbers is not null then
    run := mintmark.pool_numbers(numbers, run_length, gaps, place);
    return lower(run)::text || case when upper(run) - lower(run) > 1 then '..' || (upper(run) - 1)::text else '' end;
  end if;
  return listed;
end
$function$;

comment on function mintmark.pool_value(cidr, int8range, bigint, text[], bigint, text) is
  'the value at a place of a block, in its canonical text';

-- Returns the value at a place.
create function mintmark.pool_value_at(block integer, at_place bigint) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $function$
  select mintmark.pool_value(
    addresses, numbers, run_length, gaps, at_place,
    (select value from mintmark.pool_listed where pool_listed.block_id = block and place = at_place))
  from mintmark.pool_block
  where block_id = block
$function$;

-- Returns an address if a text is one in the form that pools read: four numbers without leading zeros, or RFC 4291.
create function mintmark.pool_parse_address(address text) returns inet
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $function$
begin
  if address ~ '^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(\.(?!$)|$)){4}$'
    or (address ~ '^[0-9a-fA-F:]{2,39}$' and address like '%:%' and address !~ '[0-9a-fA-F]{5}') then
    return address::inet;
  end if;
  return null;
exception
  when invalid_text_representation then
    return null;
end
$function$;

-- Returns the place of a value, excluded or not; no row if no block of the pool has it.
create function mintmark.pool_place(for_pool integer, of_value text, out block_id integer, out place bigint)
returns setof record
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
  address constant inet := mintmark.pool_parse_address(of_value);
  run constant text[] := regexp_match(of_value, '^(0|[1-9][0-9]{0,17})(?:\.\.(0|[1-9][0-9]{0,17}))?$');
begin
  return query
  select found.block_id, found.position - coalesce((
      select sum(least(upper(gap), found.position) - lower(gap))
      from unnest(found.without_place) as gap
      where lower(gap) < found.position), 0)::bigint
  from (
    select located.*, mintmark.pool_gaps(addresses, numbers, run_length, gaps) as without_place
    from (
      select
        pool_block.*,
        case
          when addresses >>= address
          then address - set_masklen(addresses::inet, masklen(address))
            - case when family(addresses) = 4 and masklen(addresses) <= 30 then 1 else 0 end
          when numbers @> run[1]::bigint then (run[1]::bigint - lower(numbers)) / coalesce(run_length, 1)
        end as position
      from mintmark.pool_block
      where pool_id = for_pool and removed_at is null) as located
    where position >= 0) as found
  where not found.position <@ found.without_place
    and found.position - (select coalesce(sum(least(upper(gap), found.position) - lower(gap)), 0)
      from unnest(found.without_place) as gap where lower(gap) < found.position) < found.size
    and (
      found.numbers is null
      or (
        run[1]::bigint = lower(found.numbers) + found.position * coalesce(found.run_length, 1)
        and coalesce(run[2], run[1])::bigint = least(
          lower(found.numbers) + (found.position + 1) * coalesce(found.run_length, 1), upper(found.numbers)) - 1))
    and (found.numbers is null or found.run_length is not null or run[2] is null)
  union all
  select pool_listed.block_id, pool_listed.place
  from mintmark.pool_listed
  where pool_id = for_pool and value = of_value and not removed
  limit 1;
end
$function$;

-- Checks of what callers pass ---------------------------------------------------------------------------------------

-- Quotes a text for a message as dev.mintmark.Quoted does: 64 characters at most, without control characters.
create function mintmark.pool_quoted(raw text) returns text
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $function$
declare
  quoted text := '"';
  letter text;
begin
  foreach letter in array regexp_split_to_array(left(raw, 64), '') loop
    quoted := quoted || case
      when letter in ('"', '\') then '\' || letter
      when letter ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]'
      then '\u' || lpad(to_hex(ascii(letter)), 4, '0')
      else letter
    end;
  end loop;
  return quoted || '"' || case when length(raw) > 64 then format('... (%s characters)', length(raw)) else '' end;
end
$function$;

-- Fails unless a name of a client or an owner is 1 to 255 characters without control characters.
create function mintmark.pool_check_name(what text, name text) returns void
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $function$
begin
  if coalesce(name, '') = '' or length(name) > 255 then
    raise invalid_parameter_value using
      message = format('%s %s: expected 1 to 255 characters, got %s',
        what, coalesce(mintmark.pool_quoted(name), 'null'), coalesce(length(name), 0)),
      hint = 'A client is one machine or one process; an owner is an account.';
  elsif name ~ '[\u0001-\u001f\u007f-\u009f]' then
    raise invalid_parameter_value using
      message = format('%s %s: character %s is a control character', what, mintmark.pool_quoted(name),
        length(substring(name from '^[^\u0001-\u001f\u007f-\u009f]*'))),
      hint = 'Remove the character.';
  end if;
end
$function$;

-- Fails unless a lease is 1 s to 3,650 days, or null.
create function mintmark.pool_check_lease(lease interval) returns void
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $function$
begin
  if lease < interval '1 second' or lease > interval '3650 days' then
    raise invalid_parameter_value using
      message = format('lease is %s: expected 1s to 3650d', lease),
      hint = 'Pass null for the lease of the pool.';
  end if;
end
$function$;

-- Returns a pool. Fails if there is none of that name, or if the caller's transaction does not see what others commit
-- meanwhile.
create function mintmark.pool_settings(pool_name text) returns mintmark.pool
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $function$
declare
  settings mintmark.pool;
begin
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    raise invalid_transaction_state using
      message = format('pool %s: the transaction is %s: expected read committed',
        coalesce(mintmark.pool_quoted(pool_name), 'null'), current_setting('transaction_isolation')),
      hint = 'Begin it with: begin isolation level read committed.';
  end if;
  select * into settings from mintmark.pool where name = pool_name;
  if not found then
    raise undefined_object using
      message = format('no pool %s', coalesce(mintmark.pool_quoted(pool_name), 'null')),
      hint = 'The names of the pools: select name from mintmark.pool.';
  end if;
  return settings;
end
$function$;

-- Returns the place of a value of a pool, or fails.
create function mintmark.pool_require_place(settings mintmark.pool, of_value text, out block_id integer, out place bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
begin
  select found.block_id, found.place into block_id, place
  from mintmark.pool_place(settings.pool_id, of_value) as found;
  if block_id is null then
    raise invalid_parameter_value using
      message = format('pool %s has no value %s',
        mintmark.pool_quoted(settings.name), coalesce(mintmark.pool_quoted(of_value), 'null')),
      hint = 'mintmark pool stats shows the blocks of a pool.';
  end if;
end
$function$;

-- Drawing ------------------------------------------------------------------------------------------------------------

-- Returns a random number from 0 to 2^63 - 1, from the server's cryptographic generator.
create function mintmark.pool_random() returns bigint
language sql volatile parallel safe
set search_path = pg_catalog, pg_temp
as $function$
  select ('x' || substr(digits, 1, 8) || substr(digits, 10, 4) || substr(digits, 25, 4))::bit(64)::bigint
    & 9223372036854775807
  from (select gen_random_uuid()::text as digits offset 0) as drawn
$function$;

-- Inserts free rows for values of a block that have none, at most a number of them, from a window of ordinals: the places
-- of the block that are not excluded, counted from 0. Returns how many. The caller has locked the block.
create function mintmark.pool_draw_window(block mintmark.pool_block, start bigint, width bigint, wanted bigint)
returns bigint
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
declare
  first constant bigint := mintmark.pool_position(block.excluded_places, start);
  last constant bigint := mintmark.pool_position(block.excluded_places, start + width - 1);
  made bigint;
begin
  insert into mintmark.pool_free (pool_id, block_id, place, held_until)
  select block.pool_id, block.block_id, fresh.place, block.held_until
  from (
    select
      case
        when isempty(block.excluded_places) then ordinal
        else mintmark.pool_position(block.excluded_places, ordinal)
      end as place
    from generate_series(start, start + width - 1) as ordinal
    except (
      select place from mintmark.pool_free
      where pool_id = block.pool_id and block_id = block.block_id and place between first and last
      union all
      select place from mintmark.pool_claim
      where pool_id = block.pool_id and block_id = block.block_id and place between first and last
      union all
      select place from mintmark.pool_quarantine
      where pool_id = block.pool_id and block_id = block.block_id and place between first and last)
  ) as fresh
  limit wanted;
  get diagnostics made = row_count;
  return made;
end
$function$;

-- Inserts free rows for random values of a block that have none. Returns how many. The caller has locked the block.
create function mintmark.pool_draw_random(block mintmark.pool_block, available bigint, wanted bigint) returns bigint
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
declare
  -- The greatest multiple of available: a remainder of a greater number would not be equally likely.
  below constant bigint := 9223372036854775807 - 9223372036854775807 % available;
  made bigint;
begin
  with candidate as materialized (
    select distinct mintmark.pool_position(block.excluded_places, number % available) as place
    from (select mintmark.pool_random() as number from generate_series(1, wanted)) as drawn
    where number < below
  )
  insert into mintmark.pool_free (pool_id, block_id, place, held_until)
  select block.pool_id, block.block_id, candidate.place, block.held_until
  from candidate
  where (
      select true from mintmark.pool_free held
      where held.pool_id = block.pool_id and held.block_id = block.block_id and held.place = candidate.place
      limit 1) is null
    and (
      select true from mintmark.pool_claim held
      where held.pool_id = block.pool_id and held.block_id = block.block_id and held.place = candidate.place
      limit 1) is null
    and (
      select true from mintmark.pool_quarantine held
      where held.pool_id = block.pool_id and held.block_id = block.block_id and held.place = candidate.place
      limit 1) is null;
  get diagnostics made = row_count;
  return made;
end
$function$;

-- Draws values from a block that the caller has locked: gives them rows, so that they can be claimed. In random order the
-- values are random ones without a row: first by chance; if fewer than a quarter are left, from windows of the block that
-- begin at a random place. The last values of a block take time in proportion to its size. Returns how many became free.
create function mintmark.pool_draw_block(block mintmark.pool_block, value_order text, wanted bigint) returns bigint
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
declare
  available constant bigint := block.size
    - (select coalesce(sum(upper(places) - lower(places)), 0) from unnest(block.excluded_places) as excluded (places));
  remaining constant bigint := block.size - block.issued - block.withheld;
  drawn_to bigint := block.drawn;
  made bigint := 0;
  seen bigint := 0;
  start bigint;
  width bigint;
begin
  if value_order = 'ascending' then
    while made < wanted and drawn_to < available loop
      width := least(wanted - made, available - drawn_to);
      made := made + mintmark.pool_draw_window(block, drawn_to, width, width);
      drawn_to := drawn_to + width;
    end loop;
  else
    while made < wanted and remaining - made >= available / 4 and remaining - made > wanted loop
      made := made + mintmark.pool_draw_random(block, available, wanted - made);
    end loop;
    if made < wanted then
      start := mintmark.pool_random() % available;
      while made < wanted and seen < available loop
        width := least(65536, available - start, available - seen);
        made := made + mintmark.pool_draw_window(block, start, width, wanted - made);
        seen := seen + width;
        start := (start + width) % available;
      end loop;
    end if;
  end if;
  update mintmark.pool_block
  set issued = issued + made, version = version + 1, drawn = drawn_to
  where pool_block.block_id = block.block_id;
  return made;
end
$function$;

-- Draws values from the blocks of a pool. Skips blocks that another session has locked. Returns how many became free;
-- null if none did because a block is locked.
-- Locks: the blocks it draws from, until the transaction ends.
create function mintmark.pool_draw(settings mintmark.pool, wanted bigint) returns bigint
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
      made := made + mintmark.pool_draw_block(block, settings.value_order, wanted - made);
    else
      skipped := true;
    end if;
  end loop;
  return case when made > 0 or not skipped then made end;
end
$function$;

-- The end of claims --------------------------------------------------------------------------------------------------

-- Ends claims whose lease has ended, as sweep.sql does: into quarantine, or to the free values if that is over too.
-- Returns how many values became free. The caller has locked the claims.
create function mintmark.pool_end_claims(settings mintmark.pool, tokens bigint[]) returns bigint
language sql volatile
set search_path = pg_catalog, pg_temp
as $function$
  with ended as (
    delete from mintmark.pool_claim
    where pool_id = settings.pool_id and token = any (tokens) and expires_at <= clock_timestamp()
    returning *
  ),
  given as materialized (
    select
      ended.*,
      greatest(expires_at + settings.quarantine, not_before) as free_at,
      coalesce(not_before > clock_timestamp(), false) as closed
    from ended
    join mintmark.pool_block using (pool_id, block_id)
  ),
  quarantined as (
    insert into mintmark.pool_quarantine (
      pool_id, block_id, place, until, last_client, last_slot, last_token, held_until)
    select
      pool_id, block_id, place, free_at,
      case when not closed then client end, case when not closed then slot end, token, greatest(expires_at, previous_end)
    from given
    where free_at > clock_timestamp()
  ),
  freed as (
    insert into mintmark.pool_free (pool_id, block_id, place, last_client, last_slot, last_token, held_until)
    select pool_id, block_id, place, client, slot, token, greatest(expires_at, previous_end)
    from given
    where free_at <= clock_timestamp()
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

-- Frees values whose lease and quarantine are over, a few at a time, skipping those that others have locked. The others
-- stay for the sweeps. Returns how many became free.
create function mintmark.pool_free_due(settings mintmark.pool) returns bigint
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

-- Claims -------------------------------------------------------------------------------------------------------------

-- Inserts a claim of a value whose row the caller has deleted. Fails with 23505 if another session has claimed for the
-- client and slot meanwhile: then the caller rolls back to where the row was.
create function mintmark.pool_grant(
  settings mintmark.pool, block integer, at_place bigint, for_client text, for_slot integer, for_owner text,
  for_lease interval, held_until timestamptz) returns mintmark.pool_claim
language sql volatile
set search_path = pg_catalog, pg_temp
as $function$
  insert into mintmark.pool_claim (
    pool_id, block_id, place, client, slot, owner, token, claimed_at, lease, expires_at, previous_end, xact)
  select
    settings.pool_id, block, at_place, for_client, for_slot, for_owner, nextval('mintmark.pool_token'), taken.at,
    coalesce(for_lease, settings.lease), taken.at + coalesce(for_lease, settings.lease), held_until,
    pg_current_xact_id()
  from (select clock_timestamp() as at) as taken
  returning *
$function$;

-- Takes a free value of a pool, or the one that the client had last, as claim.sql and reclaim.sql do. Skips locked rows,
-- drained blocks and excluded values. Returns null if there is none.
create function mintmark.pool_take_any(
  settings mintmark.pool, for_client text, for_slot integer, for_owner text, for_lease interval)
returns mintmark.pool_claim
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
  taken record;
  start_block integer := -1;
  start_place bigint := -1;
begin
  if settings.sticky then
    delete from mintmark.pool_quarantine
    where ctid = (
      select resting.ctid
      from mintmark.pool_quarantine resting
      where resting.pool_id = settings.pool_id and last_client = for_client and last_slot = for_slot
        and (
          select draining or resting.place <@ excluded_places
          from mintmark.pool_block
          where pool_block.block_id = resting.block_id) is false
      order by last_token desc
      limit 1
      for update skip locked)
    returning block_id, place, held_until into taken;
    if not found then
      delete from mintmark.pool_free
      where ctid = (
        select idle.ctid
        from mintmark.pool_free idle
        where idle.pool_id = settings.pool_id and last_client = for_client and last_slot = for_slot
          and (
            select draining or idle.place <@ excluded_places
            from mintmark.pool_block
            where pool_block.block_id = idle.block_id) is false
        order by last_token desc
        limit 1
        for update skip locked)
      returning block_id, place, held_until into taken;
    end if;
  end if;
  if taken is null and settings.value_order = 'random' then
    select block_id, mintmark.pool_random() % size into start_block, start_place
    from mintmark.pool_block
    where pool_id = settings.pool_id and removed_at is null and size > 0
    order by -ln(1 - random()) / size
    limit 1;
  end if;
  if taken is null then
    delete from mintmark.pool_free
    where ctid = (
      select idle.ctid
      from mintmark.pool_free idle
      where idle.pool_id = settings.pool_id and (idle.block_id, idle.place) >= (start_block, start_place)
        and (
          select draining or idle.place <@ excluded_places
          from mintmark.pool_block
          where pool_block.block_id = idle.block_id) is false
      order by idle.block_id, idle.place
      limit 1
      for update skip locked)
    returning block_id, place, held_until into taken;
    if not found and start_block >= 0 then
      delete from mintmark.pool_free
      where ctid = (
        select idle.ctid
        from mintmark.pool_free idle
        where idle.pool_id = settings.pool_id and (idle.block_id, idle.place) < (start_block, start_place)
          and (
            select draining or idle.place <@ excluded_places
            from mintmark.pool_block
            where pool_block.block_id = idle.block_id) is false
        order by idle.block_id, idle.place
        limit 1
        for update skip locked)
      returning block_id, place, held_until into taken;
    end if;
  end if;
  if taken is null then
    return null;
  end if;
  return mintmark.pool_grant(
    settings, taken.block_id, taken.place, for_client, for_slot, for_owner, for_lease, taken.held_until);
end
$function$;

-- Takes a named value: one that is free, one in quarantine that the client held last, or one that was never drawn, as
-- claim_value.sql does. Returns null if it is not available.
create function mintmark.pool_take_named(
  settings mintmark.pool, block integer, at_place bigint, for_client text, for_slot integer, for_owner text,
  for_lease interval) returns mintmark.pool_claim
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
  until timestamptz;
begin
  delete from mintmark.pool_free
  where pool_id = settings.pool_id and block_id = block and place = at_place
    and not exists (
      select from mintmark.pool_block
      where block_id = block and (draining or removed_at is not null or at_place <@ excluded_places))
  returning held_until into until;
  if not found then
    delete from mintmark.pool_quarantine
    where pool_id = settings.pool_id and block_id = block and place = at_place
      and (last_client = for_client or until <= clock_timestamp())
      and not exists (
        select from mintmark.pool_block
        where block_id = block and (draining or removed_at is not null or at_place <@ excluded_places))
    returning held_until into until;
  end if;
  if not found then
    -- The block is locked before its rows are looked for: until then another session may insert the value's first.
    perform from mintmark.pool_block
    where block_id = block and not draining and removed_at is null and not at_place <@ excluded_places
      and (not_before is null or not_before <= clock_timestamp())
    for update;
    if not found then
      return null;
    end if;
    update mintmark.pool_block
    set issued = issued + 1, version = version + 1
    where block_id = block
      and not exists (
        select from mintmark.pool_free where pool_id = settings.pool_id and block_id = block and place = at_place)
      and not exists (
        select from mintmark.pool_claim where pool_id = settings.pool_id and block_id = block and place = at_place)
      and not exists (
        select from mintmark.pool_quarantine where pool_id = settings.pool_id and block_id = block and place = at_place)
    returning held_until into until;
    if not found then
      return null;
    end if;
  end if;
  return mintmark.pool_grant(settings, block, at_place, for_client, for_slot, for_owner, for_lease, until);
end
$function$;

-- Locks the row of an owner, which claims of the owner wait for, and returns whether it may hold one value more.
create function mintmark.pool_within_quota(settings mintmark.pool, for_owner text) returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
begin
  insert into mintmark.pool_owner (pool_id, owner) values (settings.pool_id, for_owner) on conflict do nothing;
  perform from mintmark.pool_owner where pool_id = settings.pool_id and owner = for_owner for update;
  return settings.per_owner > (
    select count(*)
    from mintmark.pool_claim
    where pool_id = settings.pool_id and owner = for_owner and (expires_at is null or expires_at > clock_timestamp()));
end
$function$;

-- Claims once. Outcomes: those of claim_value; "none" if no value is free that is not locked; "again" if the state has
-- changed meanwhile: what was taken must be rolled back.
--
-- Parameters: epoch (that the caller knows) and seen_token (the greatest that it saw), as in claim.sql; block and at_place:
--   of the value if one is named, otherwise null.
-- Locks: the claim that has ended, if the slot has one; the row of the owner; the row of the value; the block, if the named
--   value was never drawn; the client and slot.
create function mintmark.pool_attempt(
  settings mintmark.pool, epoch uuid, seen_token bigint, for_client text, for_owner text, for_lease interval,
  for_slot integer, block integer, at_place bigint, out outcome text, out claim mintmark.pool_claim)
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
  in_slot integer := for_slot;
  fence text;
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
      if claim.token is not null or block is not null then
        perform mintmark.pool_end_claims(
          settings,
          array(
            select token
            from mintmark.pool_claim held
            where held.pool_id = settings.pool_id and held.expires_at <= clock_timestamp()
              and (held.token = claim.token or (block is not null and held.client = for_client))
            for update));
      end if;
      if settings.per_owner is not null and not mintmark.pool_within_quota(settings, for_owner) then
        outcome := 'quota-owner';
      end if;
    end if;
  end loop;
  if outcome is not null then
    return;
  end if;
  if block is null then
    claim := mintmark.pool_take_any(settings, for_client, for_slot, for_owner, for_lease);
  else
    select min(free_slot) into in_slot
    from generate_series(0, settings.per_client - 1) as free_slot
    where free_slot not in (
      select slot from mintmark.pool_claim where pool_id = settings.pool_id and client = for_client);
    if in_slot is null then
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

-- Records a lease that is longer than any that was asked for in the pool: after a failover the pool rests as long as any
-- claim may last that was lost. Returns whether that could be done; not if another session has locked the pool for 2 s.
create function mintmark.pool_announce_lease(settings mintmark.pool, for_lease interval) returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '2s'
as $function$
#variable_conflict use_column
begin
  if for_lease > greatest(settings.lease, settings.longest_lease) and settings.lease is not null then
    update mintmark.pool
    set longest_lease = for_lease
    where pool_id = settings.pool_id and (longest_lease is null or longest_lease < for_lease);
  end if;
  return true;
exception
  when lock_not_available or deadlock_detected then
    return false;
end
$function$;

-- Claims once, and rolls back to its beginning if that fails because of another session: the transaction of the caller goes
-- on. Outcomes: those of pool_attempt; "contended" if a lock was awaited in vain.
create function mintmark.pool_try(
  settings mintmark.pool, epoch uuid, seen_token bigint, for_client text, for_owner text, for_lease interval,
  for_slot integer, block integer, at_place bigint, out outcome text, out claim mintmark.pool_claim)
language plpgsql volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '2s'
as $function$
declare
  attempt record;
begin
  select * into attempt
  from mintmark.pool_attempt(
    settings, epoch, seen_token, for_client, for_owner, for_lease, for_slot, block, at_place);
  if attempt.outcome = 'again' then
    raise unique_violation;
  end if;
  outcome := attempt.outcome;
  claim := attempt.claim;
exception
  when unique_violation then
    outcome := 'again';
    claim := null;
  when lock_not_available or deadlock_detected then
    outcome := 'contended';
    claim := null;
end
$function$;

-- Reports, after a claim found nothing, whether values are free that other sessions have locked, and when the next value
-- becomes free.
create function mintmark.pool_standing(settings mintmark.pool, out any_free boolean, out next_due timestamptz)
language sql volatile
set search_path = pg_catalog, pg_temp
as $function$
  select
    exists (
      select from mintmark.pool_free
      where pool_id = settings.pool_id
        and exists (
          select from mintmark.pool_block
          where pool_block.block_id = pool_free.block_id and not draining and not place <@ excluded_places))
      or exists (
        select from mintmark.pool_block
        where pool_id = settings.pool_id and issued + withheld < size and not draining and removed_at is null
          and (not_before is null or not_before <= clock_timestamp())),
    least(
      (
        select until from mintmark.pool_quarantine
        where pool_id = settings.pool_id
          and exists (
            select from mintmark.pool_block
            where pool_block.block_id = pool_quarantine.block_id and not draining and not place <@ excluded_places)
        order by until limit 1),
      (
        select expires_at + settings.quarantine from mintmark.pool_claim
        where pool_id = settings.pool_id and expires_at is not null
          and exists (
            select from mintmark.pool_block
            where pool_block.block_id = pool_claim.block_id and not draining and not place <@ excluded_places)
        order by expires_at limit 1),
      (
        select min(not_before) from mintmark.pool_block
        where pool_id = settings.pool_id and issued + withheld < size and not draining and removed_at is null))
$function$;

-- Claims once for Pool.claim(Connection, ClaimRequest), which draws and sweeps on connections of its own. Returns one row,
-- or none if the pool was deleted; with the outcome "none", whether values are free and when the next one becomes free.
create function mintmark.pool_claim_joined(
  pool integer, epoch uuid, seen_token bigint, client text, owner text, lease_millis bigint, slot integer, block integer,
  place bigint)
returns table (
  outcome text, any_free boolean, next_due timestamptz, at timestamptz, held mintmark.pool_claim)
language plpgsql volatile
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $function$
#variable_conflict use_variable
declare
  settings mintmark.pool;
  attempt record;
begin
  select stored.* into settings from mintmark.pool as stored where stored.pool_id = pool;
  if not found then
    return;
  end if;
  select * into attempt
  from mintmark.pool_try(
    settings, epoch, seen_token, client, owner, lease_millis * interval '1 millisecond', slot, block, place);
  outcome := attempt.outcome;
  held := attempt.claim;
  if outcome = 'none' then
    select standing.any_free, standing.next_due into any_free, next_due from mintmark.pool_standing(settings) as standing;
  end if;
  at := clock_timestamp();
  return next;
end
$function$;

-- Returns whether the gate of a pool lets an owner in, as PoolGate.admits does. The rate of a gate is counted by instances,
-- and not here.
create function mintmark.pool_admits(settings mintmark.pool, of_owner text) returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $function$
declare
  gate mintmark.pool_gate;
  hash bytea;
begin
  select * into gate from mintmark.pool_gate where pool_id = settings.pool_id;
  if not found or (gate.owners = '{}' and gate.share is null) or of_owner = any (gate.owners) then
    return true;
  end if;
  hash := sha256(convert_to(settings.name || E'\n' || of_owner, 'UTF8'));
  return coalesce(
    (('x' || encode(substring(hash from 1 for 6), 'hex'))::bit(48)::bigint * 10000) >> 48 < gate.share, false);
end
$function$;

-- Names the instance that grants the values of a pool to a client from its slice; null while no slice has the bucket of
-- the client.
create function mintmark.pool_home(settings mintmark.pool, for_client text) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $function$
declare
  hash constant bytea := sha256(convert_to(for_client, 'UTF8'));
begin
  return (
    select instance
    from mintmark.pool_bucket
    join mintmark.pool_slice using (slice_id)
    where pool_bucket.pool_id = settings.pool_id
      and bucket = (get_byte(hash, 0) * 256 + get_byte(hash, 1)) & 1023
      and usable_until > clock_timestamp());
end
$function$;

-- Claims a value of a pool for a client, or returns what it holds. docs/pools-sql.md has the outcomes.
create function mintmark.claim_value(
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
    -- A session of SQL remembers nothing: what it knows is the latest epoch, and the last token before that.
    select epoch, last_token into known from mintmark.pool_epoch order by number desc limit 1;
    select * into attempt
    from mintmark.pool_try(
      settings, known.epoch, known.last_token, claim_value.client, claim_value.owner, for_lease, claim_value.slot,
      named.block_id, named.place);
    exit when attempt.outcome not in ('none', 'again');
    standing := null;
    if attempt.outcome = 'none' then
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
    if clock_timestamp() >= until then
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

comment on function mintmark.claim_value(text, text, text, interval, integer, text) is
  'claims a value of a pool for a client, in the transaction of the caller: docs/pools-sql.md';

-- Fails unless a client can be embedded in the IPv6 addresses of the pool, if it embeds clients.
create function mintmark.pool_check_ipv6(settings mintmark.pool, for_client text) returns void
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $function$
declare
  host_bits constant integer := 128 - masklen(settings.ipv6_prefix);
begin
  if settings.ipv6_source = 'client'
    and not (
      case when for_client ~ '^(0|[1-9][0-9]{0,38})$' then for_client::numeric < power(2::numeric, host_bits) else false end)
  then
    raise invalid_parameter_value using
      message = format('client %s: expected a whole number of at most %s bits, without leading zeros',
        mintmark.pool_quoted(for_client), host_bits),
      hint = 'The pool embeds clients in IPv6 addresses.';
  end if;
end
$function$;

-- Extends a claim from now, as renew.sql does. The end of a lease is judged by the clock, not by the begin of the
-- transaction.
create function mintmark.renew_value(pool text, value text, token bigint, lease interval default null)
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
      lease = coalesce(for_lease, held.lease),
      expires_at = greatest(held.expires_at, clock_timestamp() + coalesce(for_lease, held.lease))
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

comment on function mintmark.renew_value(text, text, bigint, interval) is
  'extends a claim, in the transaction of the caller: docs/pools-sql.md';

-- Releases a value, as release.sql does. If the pool had nothing to hand out, the instances that listen are notified when
-- the transaction commits.
create function mintmark.release_value(pool text, value text, token bigint)
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
      when exists (
        select from mintmark.pool_claim held
        where held.pool_id = settings.pool_id and held.block_id = named.block_id and held.place = named.place
          and (held.expires_at is null or held.expires_at > clock_timestamp())) then 'superseded'
      else 'not-held'
    end;
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

comment on function mintmark.release_value(text, text, bigint) is
  'releases a value of a pool, in the transaction of the caller: docs/pools-sql.md';

create function mintmark.refill_pool(pool text, "values" bigint) returns bigint
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $function$
declare
  settings constant mintmark.pool := mintmark.pool_settings(refill_pool.pool);
begin
  if "values" is null or "values" < 1 or "values" > 1000000 then
    raise invalid_parameter_value using
      message = format('values is %s: expected 1 to 1000000', coalesce("values"::text, 'null')),
      hint = 'Call it again for more.';
  end if;
  return coalesce(mintmark.pool_draw(settings, "values"), 0);
end
$function$;

comment on function mintmark.refill_pool(text, bigint) is
  'draws values of a pool ahead, so that claims in long transactions need not; returns how many: docs/pools-sql.md';

-- Views --------------------------------------------------------------------------------------------------------------

create view mintmark.pool_claims as
select
  pool.name as pool,
  mintmark.pool_value(addresses, numbers, run_length, gaps, pool_claim.place, listed.value) as value,
  mintmark.pool_address(addresses, gaps, pool_claim.place) as address,
  case when numbers is not null then mintmark.pool_numbers(numbers, run_length, gaps, pool_claim.place) end as numbers,
  pool_claim.client,
  pool_claim.slot,
  pool_claim.owner,
  pool_claim.token,
  pool_claim.claimed_at,
  pool_claim.expires_at
from mintmark.pool_claim
join mintmark.pool using (pool_id)
join mintmark.pool_block using (pool_id, block_id)
left join mintmark.pool_listed listed
  on listed.block_id = pool_claim.block_id and listed.place = pool_claim.place
where pool_claim.slice_id is null
  and (pool_claim.expires_at is null or pool_claim.expires_at > clock_timestamp());

comment on view mintmark.pool_claims is 'the values that are held, as text and as addresses or numbers';

create view mintmark.pool_values_free as
with open as (
  select
    pool.name,
    block.*,
    (
      select count(*)
      from mintmark.pool_free
      where pool_free.pool_id = block.pool_id and pool_free.block_id = block.block_id
        and not pool_free.place <@ block.excluded_places)
      + case when block.not_before > clock_timestamp() then 0 else block.size - block.issued - block.withheld end as free
  from mintmark.pool_block block
  join mintmark.pool on pool.pool_id = block.pool_id
  where block.removed_at is null and not block.draining
)
select
  open.name as pool,
  mintmark.pool_value(addresses, numbers, run_length, gaps, first.place, listed.value) as value,
  mintmark.pool_address(addresses, gaps, first.place) as address,
  case when numbers is not null then mintmark.pool_numbers(numbers, run_length, gaps, first.place) end as numbers,
  open.declared as block,
  null::bigint as more
from open
cross join lateral (
  select candidate.place
  from (select generate_series(0, open.size - 1) as place) as candidate
  where not candidate.place <@ open.excluded_places
    and (
      select true from mintmark.pool_claim held
      where held.pool_id = open.pool_id and held.block_id = open.block_id and held.place = candidate.place
      limit 1) is null
    and (
      select true from mintmark.pool_quarantine resting
      where resting.pool_id = open.pool_id and resting.block_id = open.block_id and resting.place = candidate.place
      limit 1) is null
    and (
      open.not_before is null
      or open.not_before <= clock_timestamp()
      or (
        select true from mintmark.pool_free idle
        where idle.pool_id = open.pool_id and idle.block_id = open.block_id and idle.place = candidate.place
        limit 1))
  limit least(open.free, 65536)
) as first
left join mintmark.pool_listed listed on listed.block_id = open.block_id and listed.place = first.place
union all
select name, null, null, null, declared, free - 65536
from open
where free > 65536;

comment on view mintmark.pool_values_free is
  'the values that can be claimed: the first 65,536 of each block, then a row with how many more there are';

-- These run with the rights of the owner of the tables, so a role that may run them needs no right on a table. The other
-- functions run with the rights of their caller.
revoke execute on function
  mintmark.claim_value(text, text, text, interval, integer, text),
  mintmark.renew_value(text, text, bigint, interval),
  mintmark.release_value(text, text, bigint),
  mintmark.refill_pool(text, bigint)
from public;

perform pg_catalog.set_config('search_path', path, true);
end
$script$;
