-- Prefixes: the values of a block of addresses may be its prefixes of one length instead of its addresses
-- (CidrPrefixes).
--
-- One block, in which pg_catalog is first on the search path, so that views mean the same wherever they are created.
-- Locks: mintmark.pool_block, for a moment, to add a column.
do $script$
declare
  path constant pg_catalog.text := pg_catalog.current_setting('search_path');
begin
perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

alter table mintmark.pool_block
  add column prefix_length integer,
  add check (
    prefix_length is null
    or (addresses is not null and prefix_length between masklen(addresses) and masklen(addresses) + 62 and gaps = '{}'));

comment on column mintmark.pool_block.prefix_length is
  'the length of the prefixes that a block of addresses grants; null: single addresses, or no addresses';

-- Returns the bits of an address, the first one first.
create function mintmark.pool_address_bits(address inet) returns bit varying
language sql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $function$
  -- The address follows four bytes: family, length of the prefix, whether it is a cidr, number of bytes.
  select ('x' || encode(substring(inet_send(address) from 5), 'hex'))::varbit
$function$;

-- Returns an address as RFC 5952 writes it.
create function mintmark.pool_address_text(address inet) returns text
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $function$
declare
  written constant text := host(address);
  low text[];
begin
  if family(address) = 6 and written like '%.%' then
    -- PostgreSQL writes ::1.2.3.4 for ::102:304 (RFC 5952 section 5 does not ask for it).
    low := string_to_array(ltrim(written, ':'), '.');
    return '::' || to_hex(low[1]::integer * 256 + low[2]::integer)
      || ':' || to_hex(low[3]::integer * 256 + low[4]::integer);
  end if;
  return written;
end
$function$;

-- Returns the prefix at a place of a block.
create function mintmark.pool_prefix(addresses cidr, prefix_length integer, place bigint) returns inet
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $function$
declare
  place_bits constant integer := prefix_length - masklen(addresses);
  bits constant bit varying := substring(mintmark.pool_address_bits(addresses) from 1 for masklen(addresses))
    || substring(place::bit(64) from 65 - place_bits);
  whole bit(128);
begin
  if family(addresses) = 4 then
    return set_masklen('0.0.0.0'::inet + bits::bit(32)::bigint, prefix_length);
  end if;
  whole := bits::bit(128);
  return set_masklen(
    regexp_replace(
      lpad(to_hex(substring(whole from 1 for 64)::bigint), 16, '0')
        || lpad(to_hex(substring(whole from 65)::bigint), 16, '0'),
      '(....)(?=.)', '\1:', 'g')::inet,
    prefix_length);
end
$function$;

-- Returns the place of a prefix in a block; null if the block has no such prefix.
create function mintmark.pool_prefix_place(addresses cidr, prefix_length integer, of_value text) returns bigint
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $function$
declare
  parts constant text[] := regexp_match(of_value, '^([^/]+)/(0|[1-9][0-9]{0,2})$');
  address constant inet := mintmark.pool_parse_address(parts[1]);
begin
  if address <<= addresses and parts[2]::integer = prefix_length
    and host(network(set_masklen(address, prefix_length))) = host(address) then
    return substring(
      mintmark.pool_address_bits(address) from masklen(addresses) + 1 for prefix_length - masklen(addresses))::bigint;
  end if;
  return null;
end
$function$;

create or replace function mintmark.pool_value(
  addresses cidr, numbers int8range, run_length bigint, gaps text[], place bigint, listed text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $function$
declare
  run int8range;
begin
  if addresses is not null then
    return mintmark.pool_address_text(mintmark.pool_address(addresses, gaps, place));
  elsif numbers is not null then
    run := mintmark.pool_numbers(numbers, run_length, gaps, place);
    return lower(run)::text || case when upper(run) - lower(run) > 1 then '..' || (upper(run) - 1)::text else '' end;
  end if;
  return listed;
end
$function$;

-- Returns the value at a place of a block, in its canonical text; prefix_length: null if the block has no prefixes.
create function mintmark.pool_value(
  addresses cidr, prefix_length integer, numbers int8range, run_length bigint, gaps text[], place bigint, listed text)
returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $function$
  select case
    when prefix_length is null then mintmark.pool_value(addresses, numbers, run_length, gaps, place, listed)
    else mintmark.pool_address_text(mintmark.pool_prefix(addresses, prefix_length, place)) || '/' || prefix_length
  end
$function$;

comment on function mintmark.pool_value(cidr, integer, int8range, bigint, text[], bigint, text) is
  'the value at a place of a block, in its canonical text';

create or replace function mintmark.pool_value_at(block integer, at_place bigint) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $function$
  select mintmark.pool_value(
    addresses, prefix_length, numbers, run_length, gaps, at_place,
    (select value from mintmark.pool_listed where pool_listed.block_id = block and place = at_place))
  from mintmark.pool_block
  where block_id = block
$function$;

-- Returns the place of a value, excluded or not; no row if no block of the pool has it.
create or replace function mintmark.pool_place(for_pool integer, of_value text, out block_id integer, out place bigint)
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
          when prefix_length is not null then mintmark.pool_prefix_place(addresses, prefix_length, of_value)
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

create or replace view mintmark.pool_claims as
select
  pool.name as pool,
  mintmark.pool_value(addresses, prefix_length, numbers, run_length, gaps, pool_claim.place, listed.value) as value,
  case
    when prefix_length is null then mintmark.pool_address(addresses, gaps, pool_claim.place)
    else mintmark.pool_prefix(addresses, prefix_length, pool_claim.place)
  end as address,
  case when numbers is not null then mintmark.pool_numbers(numbers, run_length, gaps, pool_claim.place) end as numbers,
  pool_claim.client,
  pool_claim.slot,
  pool_claim.owner,
  pool_claim.token,
  pool_claim.claimed_at,
  pool_claim.expires_at,
  coalesce(note.labels, '{}') as labels,
  note.dns_name,
  note.description
from mintmark.pool_claim
join mintmark.pool using (pool_id)
join mintmark.pool_block using (pool_id, block_id)
left join mintmark.pool_listed listed
  on listed.block_id = pool_claim.block_id and listed.place = pool_claim.place
left join mintmark.pool_claim_note note
  on note.pool_id = pool_claim.pool_id and note.token = pool_claim.token
where pool_claim.slice_id is null
  and (pool_claim.expires_at is null or pool_claim.expires_at > clock_timestamp());

create or replace view mintmark.pool_values_free as
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
  mintmark.pool_value(addresses, prefix_length, numbers, run_length, gaps, first.place, listed.value) as value,
  case
    when prefix_length is null then mintmark.pool_address(addresses, gaps, first.place)
    else mintmark.pool_prefix(addresses, prefix_length, first.place)
  end as address,
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

perform pg_catalog.set_config('search_path', path, true);
end
$script$;
