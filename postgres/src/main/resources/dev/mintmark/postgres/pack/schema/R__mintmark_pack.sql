-- Mintmark's SQL pack: functions for identifiers in PostgreSQL 14 and later, without an extension.
--
-- Run it with `mintmark pack install`, with Flyway or by hand. It can be run any number of times. Run it again after an upgrade
-- of PostgreSQL or of Mintmark. Existing functions are replaced in place, so the defaults of columns continue to work. The role
-- that runs it owns the objects. It needs CREATE on the database, or a schema that it owns, and nothing else. Every role may
-- call the functions.
--
-- The script runs with pg_catalog alone on the search_path, so PostgreSQL never selects an operator or a function of another
-- role instead of the intended one. `return` bodies are resolved then. Other bodies are resolved when they are called: they
-- set the search_path, or call only functions whose schema they name. In addition, every operand has exactly the type that its
-- operator is declared with.
-- Strings that contain a backslash are E'' strings, so the setting standard_conforming_strings has no effect.

-- In a transaction the search_path is set until the script ends. Without a transaction it cannot be set for the whole script.
do $path$
begin
  perform pg_catalog.set_config('mintmark_pack.search_path', pg_catalog.current_setting('search_path'), true);
  perform pg_catalog.set_config('search_path', 'pg_catalog', true);
end
$path$;
do $path$
declare
  schemas pg_catalog.name[] := pg_catalog.current_schemas(true);
begin
  -- Neither functions nor operators are looked up in the temporary schema, which comes first if there is one.
  if schemas[case when schemas[1] operator(pg_catalog.~) '^pg_temp_' then 2 else 1 end] operator(pg_catalog.<>) 'pg_catalog'
  then
    raise exception using errcode = '55000', message = 'another schema comes before pg_catalog on the search_path',
      hint = 'Run the script in one transaction: psql -1.';
  end if;
end
$path$;

do $schema$
declare
  names constant name[] := array[
    'are_ulid_letters', 'begins_with', 'crockford_digit', 'crockford_pair', 'is_utf8', 'malformed_puri',
    'malformed_typeid', 'malformed_ulid', 'max', 'min', 'nanoid', 'pack_version', 'page_horizon', 'page_refusal',
    'prefixed', 'puri', 'puri_bytes', 'puri_canonical', 'puri_collection', 'puri_escaped', 'puri_identifier',
    'puri_namespace', 'puri_unescaped', 'quoted', 'refused_prefixed', 'refused_puri', 'refused_time',
    'refused_typeid_prefix', 'try_puri_parts', 'try_typeid_uuid', 'try_ulid_uuid', 'typeid_text', 'typeid_uuid', 'ulid',
    'ulid_clock_forward', 'ulid_clock_now', 'ulid_is_sane', 'ulid_max', 'ulid_middle', 'ulid_min', 'ulid_monotonic',
    'ulid_needs_clock', 'ulid_of_draw', 'ulid_of_letters', 'ulid_of_tick', 'ulid_prefix_max', 'ulid_prefix_min',
    'ulid_text', 'ulid_text_of', 'ulid_time', 'ulid_time_digits', 'ulid_uuid', 'ulids', 'unprefixed', 'uuid_clock_seq',
    'uuid_clock_seq_hi_variant', 'uuid_clock_seq_low', 'uuid_greater', 'uuid_lesser', 'uuid_node', 'uuid_prefix_max',
    'uuid_prefix_min', 'uuid_tick_time', 'uuid_time', 'uuid_time_hi_version', 'uuid_time_low', 'uuid_time_mid',
    'uuid_variant', 'uuid_version', 'uuidv7'];
  others text;
begin
  perform set_config('search_path', 'pg_catalog', true);
  if to_regnamespace('mintmark') is null then
    create schema mintmark;
  end if;
  -- The owner of the schema can replace every object in it, including the function that runs with the rights of this role.
  if not exists (
    select from pg_namespace where oid = to_regnamespace('mintmark') and pg_has_role(nspowner, 'usage'))
  then
    raise exception using errcode = '42501', message = 'the schema mintmark belongs to another role';
  end if;
  -- So can the owner of a single object, and a role that may add functions with the same name. The owner of the schema, its
  -- members and superusers are trusted.
  select string_agg(object || ' belongs to ' || quote_ident(pg_get_userbyid(owner)), ', ' order by object)
  into others
  from (
    select 'function ' || quote_ident(proname) || '(' || oidvectortypes(proargtypes) || ')', proowner, pronamespace
    from pg_proc
    where proname = any (names)
    union all
    select 'sequence ' || quote_ident(relname), relowner, relnamespace
    from pg_class
    where relname = 'ulid_clock'
    union all
    select 'domain ' || quote_ident(typname), typowner, typnamespace
    from pg_type
    where typname = 'ulid_as_text') found (object, owner, schema)
  join pg_namespace on pg_namespace.oid = schema
  where schema = to_regnamespace('mintmark')
    and not pg_has_role(owner, nspowner, 'member');
  if others is not null then
    raise exception using errcode = '42501', message = others,
      hint = 'Drop them, or give them to the owner of the schema: alter ... owner to ...';
  end if;
  select string_agg(case grantee when 0 then 'PUBLIC' else quote_ident(pg_get_userbyid(grantee)) end, ', ' order by grantee)
  into others
  from pg_namespace
  cross join aclexplode(coalesce(nspacl, acldefault('n', nspowner)))
  where pg_namespace.oid = to_regnamespace('mintmark')
    and privilege_type = 'CREATE'
    and case grantee when 0 then true else not pg_has_role(grantee, nspowner, 'member') end;
  if others is not null then
    raise exception using errcode = '42501', message = 'these roles may create functions in the schema mintmark: ' || others,
      hint = 'Revoke it: revoke create on schema ... from ...';
  end if;
  if to_regprocedure('mintmark.pack_version()') is not null then
    if mintmark.pack_version() > 7 then
      raise exception using errcode = '55000',
        message = 'version ' || mintmark.pack_version()::text
          || ' of the pack is installed: version 7 is earlier and cannot replace it';
    end if;
  end if;
end
$schema$;

-- The version of the pack. If an object below changes, increase the version by one, here, in the check above, in the record at
-- the end and in Pack.VERSION.
create or replace function mintmark.pack_version() returns integer
  language sql immutable parallel safe
  return 7;

-- ---- Mints

-- uuidv7(): a UUIDv7 (RFC 9562 section 5.7) of milliseconds, 12 bits of their fraction (a quarter of a microsecond) and 62
-- random bits. From PostgreSQL 18 on it is the native function, which also ascends strictly within a process: in a session,
-- but not in a parallel query. Before 18, two values of the same microsecond are in random order, and the function fails
-- (22P02) outside the years 2004 to 2527 of the server's clock.
--
-- ulid(): a ULID. From PostgreSQL 18 on it is the native UUIDv7, whose bits are a valid ULID. Before 18 it has milliseconds,
-- 16 bits of their fraction (the last 4 are 0) and 64 random bits. Two values of the same microsecond are in random order. It
-- fails (22003) from the year 2540 of the server's clock on.
do $version$
begin
  if current_setting('server_version_num')::integer >= 180000 then
    execute $create$
      create or replace function mintmark.uuidv7() returns uuid
        language sql volatile parallel safe
        return pg_catalog.uuidv7()
    $create$;
    execute $create$
      create or replace function mintmark.ulid() returns uuid
        language sql volatile parallel safe
        return pg_catalog.uuidv7()
    $create$;
  else
    execute $create$
      create or replace function mintmark.uuidv7() returns uuid
        language sql volatile parallel safe
        return (
          '0'
          || overlay(to_hex((date_part('epoch', clock_timestamp()) * 1000000::float8)::bigint * 512 / 125) placing '7' from 12 for 0)
          || encode(substring(uuid_send(gen_random_uuid()) from 9), 'hex'))::uuid
    $create$;
    execute $create$
      create or replace function mintmark.ulid() returns uuid
        language sql volatile parallel safe
        return encode(
          int8send(((date_part('epoch', clock_timestamp()) * 1000000::float8)::bigint * 512 / 125) << 4)
          -- Without bytes 4 to 11, which contain the version and variant bits of the UUIDv4. Those are not random.
          || overlay(uuid_send(gen_random_uuid()) placing ''::bytea from 5 for 8),
          'hex')::uuid
    $create$;
  end if;
end
$version$;

-- The clock of the ascending mints: 45 bits of milliseconds, then a counter of 18 bits. It is a sequence, because sessions
-- share a sequence without waiting for each other's transactions. Its values are called ticks. It follows the server's clock.
-- If that clock stands still or steps back, it continues in steps of one. It lasts until the year 3084. Only the functions
-- below may draw from it.
create sequence if not exists mintmark.ulid_clock as bigint minvalue 0 start 0 cache 1;
do $clock$
begin
  if exists (
    select from pg_sequence
    where seqrelid = 'mintmark.ulid_clock'::regclass
      and (seqtypid, seqincrement, seqmin, seqmax, seqstart, seqcache, seqcycle)
        <> ('bigint'::regtype, 1::bigint, 0::bigint, 9223372036854775807, 0::bigint, 1::bigint, false))
  then
    alter sequence mintmark.ulid_clock as bigint increment 1 minvalue 0 no maxvalue start 0 cache 1 no cycle;
  end if;
  if exists (select from pg_class where oid = 'mintmark.ulid_clock'::regclass and relpersistence = 'u') then
    execute 'alter sequence mintmark.ulid_clock set logged';
  end if;
end
$clock$;

-- The first tick of the current millisecond.
create or replace function mintmark.ulid_clock_now() returns bigint
  language sql volatile parallel safe
  return ((date_part('epoch', clock_timestamp()) * 1000000::float8)::bigint / 1000) << 18;

-- The UUIDv7 of a tick: its milliseconds, its counter in the next 18 bits that are not fixed, and 56 random bits.
create or replace function mintmark.ulid_of_tick(tick bigint, noise bytea) returns uuid
  language sql immutable parallel safe
  return encode(
    int8send(((tick >> 18) << 16) | 28672::bigint | ((tick >> 6) & 4095::bigint))
    || set_byte(noise, 0, 128 | (tick & 63::bigint)::integer),
    'hex')::uuid;

-- Draws a tick that is not less than the server's clock. If necessary, moves ulid_clock forward.
--
-- Only one session at a time does this, under an advisory lock, because setval is not a compare-and-set. Other sessions
-- continue to draw ticks without the lock. So the clock is moved to a millisecond that no other session can reach: a later one
-- than it is in. And a session that draws a tick from the upper half of a millisecond's counter does not use it, but calls this
-- function. So each session draws at most one tick from the upper half. That half has 131,072 ticks, more than there can be
-- sessions in practice.
--
-- The lock is released before the transaction ends, also if the call is cancelled, because the subtransaction that took the
-- lock is rolled back. Changes of a sequence are not rolled back. The function runs with the rights of its owner, so it uses
-- only pg_catalog and the sequence.
create or replace function mintmark.ulid_clock_forward() returns bigint
  language plpgsql volatile parallel unsafe
  security definer set search_path = pg_catalog, pg_temp
as $body$
declare
  noise bytea := uuid_send(gen_random_uuid());
  target bigint;
  tick bigint;
begin
  begin
    perform pg_advisory_xact_lock(1296649812, 'mintmark.ulid_clock'::regclass::oid::integer);
    target := ((date_part('epoch', clock_timestamp()) * 1000000::float8)::bigint / 1000) << 18;
    tick := coalesce(pg_sequence_last_value('mintmark.ulid_clock'::regclass), 0::bigint);
    if tick >= target and (tick & 262143::bigint) < 131071::bigint then
      -- Another session moved the clock while this session waited.
      tick := nextval('mintmark.ulid_clock'::regclass);
    else
      target := greatest(target, ((tick >> 18) + 1::bigint) << 18);
      -- The counter starts at a random value, so that it does not reveal how many were minted (RFC 9562 section 6.2).
      tick := setval('mintmark.ulid_clock'::regclass, target + ((get_byte(noise, 0) << 8) + get_byte(noise, 1))::bigint);
    end if;
    raise exception using errcode = 'MM000', message = 'releases the lock';
  exception
    when sqlstate 'MM000' then
      return tick;
  end;
end
$body$;

-- Whether a tick that was drawn is behind the clock or in the upper half of its counter.
create or replace function mintmark.ulid_needs_clock(tick bigint, now bigint) returns boolean
  language sql immutable parallel safe
  return tick < now or (tick & 262143::bigint) >= 131072::bigint;

-- The ULID of a tick that was drawn. If it needs the clock to move, of a later tick.
create or replace function mintmark.ulid_of_draw(tick bigint, now bigint, noise uuid) returns uuid
  language plpgsql volatile parallel unsafe
as $body$
begin
  if mintmark.ulid_needs_clock(tick, now) then
    tick := mintmark.ulid_clock_forward();
  end if;
  return mintmark.ulid_of_tick(tick, pg_catalog.substring(pg_catalog.uuid_send(noise), 9));
end
$body$;

-- A ULID in the form of a UUIDv7, greater than every one that any session of this database minted before: also within the same
-- microsecond, and after the server's clock stepped back (the ids are then ahead of the clock until it has caught up). "Before"
-- means that the earlier call had returned. Of two concurrent calls, either may return the greater value.
--
-- Fails in a read-only transaction and on a standby (25006). It draws from a sequence, so lastval() no longer returns the value
-- of another sequence. After a failover to a replica that lagged, or a crash before any commit, the order is based only on the
-- server's clock.
create or replace function mintmark.ulid_monotonic() returns uuid
  language sql volatile parallel unsafe
  return mintmark.ulid_of_draw(nextval('mintmark.ulid_clock'::regclass), mintmark.ulid_clock_now(), gen_random_uuid());

-- Mints n ULIDs, 0 to 10,000,000 (otherwise 22023). Each is greater than the one before it, and than all that ulid_monotonic()
-- minted before. The random bits are the SHA-256 of a secret of this call and a counter: 7 bytes for each of four ULIDs.
create or replace function mintmark.ulids(n bigint) returns setof uuid
  language plpgsql volatile parallel unsafe strict rows 1000
  set search_path = pg_catalog, pg_temp
as $body$
declare
  secret bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  minted bigint := 0;
  chunk bigint;
begin
  if n < 0::bigint or n > 10000000::bigint then
    raise exception using errcode = '22023',
      message = 'ulids(' || n::text || '): expected 0 to 10000000',
      hint = 'To mint more, call it again: the values continue to ascend.';
  end if;
  while minted < n loop
    chunk := least(n - minted, 1024::bigint);
    perform mintmark.ulid_clock_forward();
    begin
      -- No session moves the clock during these draws, so the counters need no check. Chunks are small, so waits are short.
      perform pg_advisory_xact_lock_shared(1296649812, 'mintmark.ulid_clock'::regclass::oid::integer);
      return query
        select mintmark.ulid_of_tick(drawn.tick, substring(drawn.noise from drawn.start for 8))
        from (
          select nextval('mintmark.ulid_clock'::regclass) as tick, block.noise, share.start
          from generate_series(minted, minted + chunk - 1::bigint, 4::bigint) first
          cross join lateral (select sha256(secret || int8send(first)) as noise offset 0) block
          cross join (values (1), (8), (15), (22)) share (start)
          limit chunk) drawn;
      raise exception using errcode = 'MM000', message = 'releases the lock';
    exception
      when sqlstate 'MM000' then
        minted := minted + chunk;
    end;
  end loop;
end
$body$;

-- ---- Text

-- The two digits of Crockford's base 32 for 10 bits.
create or replace function mintmark.crockford_pair(bits integer) returns bytea
  language sql immutable strict parallel safe
  return substring(
    '000102030405060708090A0B0C0D0E0F0G0H0J0K0M0N0P0Q0R0S0T0V0W0X0Y0Z'
    '101112131415161718191A1B1C1D1E1F1G1H1J1K1M1N1P1Q1R1S1T1V1W1X1Y1Z'
    '202122232425262728292A2B2C2D2E2F2G2H2J2K2M2N2P2Q2R2S2T2V2W2X2Y2Z'
    '303132333435363738393A3B3C3D3E3F3G3H3J3K3M3N3P3Q3R3S3T3V3W3X3Y3Z'
    '404142434445464748494A4B4C4D4E4F4G4H4J4K4M4N4P4Q4R4S4T4V4W4X4Y4Z'
    '505152535455565758595A5B5C5D5E5F5G5H5J5K5M5N5P5Q5R5S5T5V5W5X5Y5Z'
    '606162636465666768696A6B6C6D6E6F6G6H6J6K6M6N6P6Q6R6S6T6V6W6X6Y6Z'
    '707172737475767778797A7B7C7D7E7F7G7H7J7K7M7N7P7Q7R7S7T7V7W7X7Y7Z'
    '808182838485868788898A8B8C8D8E8F8G8H8J8K8M8N8P8Q8R8S8T8V8W8X8Y8Z'
    '909192939495969798999A9B9C9D9E9F9G9H9J9K9M9N9P9Q9R9S9T9V9W9X9Y9Z'
    'A0A1A2A3A4A5A6A7A8A9AAABACADAEAFAGAHAJAKAMANAPAQARASATAVAWAXAYAZ'
    'B0B1B2B3B4B5B6B7B8B9BABBBCBDBEBFBGBHBJBKBMBNBPBQBRBSBTBVBWBXBYBZ'
    'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECFCGCHCJCKCMCNCPCQCRCSCTCVCWCXCYCZ'
    'D0D1D2D3D4D5D6D7D8D9DADBDCDDDEDFDGDHDJDKDMDNDPDQDRDSDTDVDWDXDYDZ'
    'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFEGEHEJEKEMENEPEQERESETEVEWEXEYEZ'
    'F0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFFFGFHFJFKFMFNFPFQFRFSFTFVFWFXFYFZ'
    'G0G1G2G3G4G5G6G7G8G9GAGBGCGDGEGFGGGHGJGKGMGNGPGQGRGSGTGVGWGXGYGZ'
    'H0H1H2H3H4H5H6H7H8H9HAHBHCHDHEHFHGHHHJHKHMHNHPHQHRHSHTHVHWHXHYHZ'
    'J0J1J2J3J4J5J6J7J8J9JAJBJCJDJEJFJGJHJJJKJMJNJPJQJRJSJTJVJWJXJYJZ'
    'K0K1K2K3K4K5K6K7K8K9KAKBKCKDKEKFKGKHKJKKKMKNKPKQKRKSKTKVKWKXKYKZ'
    'M0M1M2M3M4M5M6M7M8M9MAMBMCMDMEMFMGMHMJMKMMMNMPMQMRMSMTMVMWMXMYMZ'
    'N0N1N2N3N4N5N6N7N8N9NANBNCNDNENFNGNHNJNKNMNNNPNQNRNSNTNVNWNXNYNZ'
    'P0P1P2P3P4P5P6P7P8P9PAPBPCPDPEPFPGPHPJPKPMPNPPPQPRPSPTPVPWPXPYPZ'
    'Q0Q1Q2Q3Q4Q5Q6Q7Q8Q9QAQBQCQDQEQFQGQHQJQKQMQNQPQQQRQSQTQVQWQXQYQZ'
    'R0R1R2R3R4R5R6R7R8R9RARBRCRDRERFRGRHRJRKRMRNRPRQRRRSRTRVRWRXRYRZ'
    'S0S1S2S3S4S5S6S7S8S9SASBSCSDSESFSGSHSJSKSMSNSPSQSRSSSTSVSWSXSYSZ'
    'T0T1T2T3T4T5T6T7T8T9TATBTCTDTETFTGTHTJTKTMTNTPTQTRTSTTTVTWTXTYTZ'
    'V0V1V2V3V4V5V6V7V8V9VAVBVCVDVEVFVGVHVJVKVMVNVPVQVRVSVTVVVWVXVYVZ'
    'W0W1W2W3W4W5W6W7W8W9WAWBWCWDWEWFWGWHWJWKWMWNWPWQWRWSWTWVWWWXWYWZ'
    'X0X1X2X3X4X5X6X7X8X9XAXBXCXDXEXFXGXHXJXKXMXNXPXQXRXSXTXVXWXXXYXZ'
    'Y0Y1Y2Y3Y4Y5Y6Y7Y8Y9YAYBYCYDYEYFYGYHYJYKYMYNYPYQYRYSYTYVYWYXYYYZ'
    'Z0Z1Z2Z3Z4Z5Z6Z7Z8Z9ZAZBZCZDZEZFZGZHZJZKZMZNZPZQZRZSZTZVZWZXZYZZ'::bytea
    from (bits << 1) + 1 for 2);

-- The 5 bits of a digit, in either letter case; 255 if the byte is not a digit.
create or replace function mintmark.crockford_digit(letter integer) returns integer
  language sql immutable strict parallel safe
  return get_byte(
    E'\\xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'
    'ffffffffffffffffffffffffffffffff00010203040506070809ffffffffffff'
    'ff0a0b0c0d0e0f1011ff1213ff1415ff161718191aff1b1c1d1e1fffffffffff'
    'ff0a0b0c0d0e0f1011ff1213ff1415ff161718191aff1b1c1d1e1fffffffffff'
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'::bytea,
    letter);

-- The 26 characters of the 16 bytes of a ULID.
create or replace function mintmark.ulid_text_of(bytes bytea) returns text
  language sql immutable parallel safe
  return encode(
    mintmark.crockford_pair(get_byte(bytes, 0))
    || mintmark.crockford_pair((get_byte(bytes, 1) << 2) | (get_byte(bytes, 2) >> 6))
    || mintmark.crockford_pair(((get_byte(bytes, 2) & 63) << 4) | (get_byte(bytes, 3) >> 4))
    || mintmark.crockford_pair(((get_byte(bytes, 3) & 15) << 6) | (get_byte(bytes, 4) >> 2))
    || mintmark.crockford_pair(((get_byte(bytes, 4) & 3) << 8) | get_byte(bytes, 5))
    || mintmark.crockford_pair((get_byte(bytes, 6) << 2) | (get_byte(bytes, 7) >> 6))
    || mintmark.crockford_pair(((get_byte(bytes, 7) & 63) << 4) | (get_byte(bytes, 8) >> 4))
    || mintmark.crockford_pair(((get_byte(bytes, 8) & 15) << 6) | (get_byte(bytes, 9) >> 2))
    || mintmark.crockford_pair(((get_byte(bytes, 9) & 3) << 8) | get_byte(bytes, 10))
    || mintmark.crockford_pair((get_byte(bytes, 11) << 2) | (get_byte(bytes, 12) >> 6))
    || mintmark.crockford_pair(((get_byte(bytes, 12) & 63) << 4) | (get_byte(bytes, 13) >> 4))
    || mintmark.crockford_pair(((get_byte(bytes, 13) & 15) << 6) | (get_byte(bytes, 14) >> 2))
    || mintmark.crockford_pair(((get_byte(bytes, 14) & 3) << 8) | get_byte(bytes, 15)),
    'escape'::text);

-- The 26 characters of a ULID.
create or replace function mintmark.ulid_text(id uuid) returns text
  language plpgsql immutable strict parallel safe
as $body$
declare
  -- As a variable, so that the bytes are computed once.
  bytes pg_catalog.bytea := pg_catalog.uuid_send(id);
begin
  return mintmark.ulid_text_of(bytes);
end
$body$;

-- The UUID of the 26 digits of a ULID. Both halves need the bits of the digits 8 to 13, so the caller computes them once.
create or replace function mintmark.ulid_of_letters(letters bytea, middle integer) returns uuid
  language sql immutable parallel safe
  return encode(
    int8send(
      (((mintmark.crockford_digit(get_byte(letters, 0)) << 5)
        | mintmark.crockford_digit(get_byte(letters, 1)))::bigint << 56)
      | ((
        (mintmark.crockford_digit(get_byte(letters, 2)) << 25)
        | (mintmark.crockford_digit(get_byte(letters, 3)) << 20)
        | (mintmark.crockford_digit(get_byte(letters, 4)) << 15)
        | (mintmark.crockford_digit(get_byte(letters, 5)) << 10)
        | (mintmark.crockford_digit(get_byte(letters, 6)) << 5)
        | mintmark.crockford_digit(get_byte(letters, 7)))::bigint << 26)
      | (middle >> 4)::bigint)
    || int8send(
      ((middle & 15)::bigint << 60)
      | ((
        (mintmark.crockford_digit(get_byte(letters, 14)) << 25)
        | (mintmark.crockford_digit(get_byte(letters, 15)) << 20)
        | (mintmark.crockford_digit(get_byte(letters, 16)) << 15)
        | (mintmark.crockford_digit(get_byte(letters, 17)) << 10)
        | (mintmark.crockford_digit(get_byte(letters, 18)) << 5)
        | mintmark.crockford_digit(get_byte(letters, 19)))::bigint << 30)
      | (
        (mintmark.crockford_digit(get_byte(letters, 20)) << 25)
        | (mintmark.crockford_digit(get_byte(letters, 21)) << 20)
        | (mintmark.crockford_digit(get_byte(letters, 22)) << 15)
        | (mintmark.crockford_digit(get_byte(letters, 23)) << 10)
        | (mintmark.crockford_digit(get_byte(letters, 24)) << 5)
        | mintmark.crockford_digit(get_byte(letters, 25)))::bigint),
    'hex'::text)::uuid;

-- Whether the bytes of a text are 26 digits of Crockford's base 32 in either letter case, the first at most 7.
create or replace function mintmark.are_ulid_letters(letters bytea) returns boolean
  language sql immutable parallel safe
  return octet_length(letters) = 26
    and get_byte(letters, 0) <= 55
    -- A byte that is not a digit remains after the digits are trimmed.
    and btrim(letters, '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz'::bytea) = ''::bytea;

-- The bits of the digits 8 to 13 of a ULID.
create or replace function mintmark.ulid_middle(letters bytea) returns integer
  language sql immutable parallel safe
  return
    (mintmark.crockford_digit(get_byte(letters, 8)) << 25)
    | (mintmark.crockford_digit(get_byte(letters, 9)) << 20)
    | (mintmark.crockford_digit(get_byte(letters, 10)) << 15)
    | (mintmark.crockford_digit(get_byte(letters, 11)) << 10)
    | (mintmark.crockford_digit(get_byte(letters, 12)) << 5)
    | mintmark.crockford_digit(get_byte(letters, 13));

-- Reads 26 digits of Crockford's base 32 in either letter case, the first at most 7. Returns null if ulid_uuid fails.
create or replace function mintmark.try_ulid_uuid(value text) returns uuid
  language plpgsql immutable strict parallel safe
as $body$
declare
  letters pg_catalog.bytea := pg_catalog.convert_to(value, pg_catalog.getdatabaseencoding());
  middle integer;
begin
  if mintmark.are_ulid_letters(letters) then
    middle := mintmark.ulid_middle(letters);
    return mintmark.ulid_of_letters(letters, middle);
  end if;
  return null;
end
$body$;

-- A text as error messages quote it: at most 64 characters, with invisible characters written as their code.
create or replace function mintmark.quoted(value text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  shown text := '';
  letter text;
  code integer;
begin
  for i in 1 .. least(length(value), 64) loop
    letter := substr(value, i, 1);
    -- In other encodings ascii() does not return the code of a character of several bytes.
    code := case when octet_length(letter) = 1 or getdatabaseencoding() = 'UTF8' then ascii(letter) end;
    shown := shown || case
      when letter collate "C" in ('"', E'\\') then
        E'\\' || letter
      when code < 32 or code between 127 and 159 or code between 8203 and 8207 or code between 8232 and 8238
        or code between 8288 and 8303 or code = 65279 then
        E'\\u' || lpad(to_hex(code), 4, '0'::text)
      else
        letter
    end;
  end loop;
  return '"' || shown || '"'
    || case when length(value) > 64 then '... (' || length(value)::text || ' characters)' else '' end;
end
$body$;

-- Fails with the reason why a text is not a ULID.
create or replace function mintmark.malformed_ulid(value text) returns uuid
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  -- A character above U+FFFF counts as two, as in Java and JavaScript.
  characters integer := length(regexp_replace(value collate "C", E'[\\U00010000-\\U0010FFFF]', '..', 'g'));
  digits integer := length((regexp_match(value collate "C", '^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]*'))[1]);
  letter text := regexp_replace(mintmark.quoted(substr(value, digits + 1, 1)), '^"|"$', '', 'g');
  reason text := 'malformed ULID ' || mintmark.quoted(value) || ': ' || case
    when characters <> 26 then
      'it has ' || characters::text || case when characters = 1 then ' character' else ' characters' end || ': expected 26'
    when digits < 26 then
      'character ' || digits::text || ', ''' || letter || ''', is not Crockford base 32'
    else
      'character 0, ''' || left(value, 1) || ''', is above 7: it exceeds 128 bits'
  end;
begin
  if mintmark.try_ulid_uuid(btrim(value, E' \t\r\n')) is not null then
    raise exception using errcode = '22P02', message = reason,
      hint = 'It has white space around it: remove it, for example with btrim.';
  end if;
  raise exception using errcode = '22P02', message = reason;
end
$body$;

-- The UUID of a ULID's text. Fails with 22P02 and the reason if the text is malformed.
create or replace function mintmark.ulid_uuid(value text) returns uuid
  language sql immutable parallel safe
  return coalesce(mintmark.try_ulid_uuid(value), mintmark.malformed_ulid(value));

-- For columns that must stay text: accepts only the canonical text of a ULID (otherwise 23514). It sorts in the order of the
-- bits, whatever the collation of the database is.
do $domain$
declare
  checked constant text := 'CHECK ((VALUE ~ ''^[0-7][0-9A-HJKMNP-TV-Z]{25}$''::text))';
  same boolean;
  constraint_name text;
begin
  perform set_config('search_path', 'pg_catalog', true);
  if to_regtype('mintmark.ulid_as_text') is null then
    create domain mintmark.ulid_as_text as text collate "C";
  end if;
  select typbasetype = 'text'::regtype and typcollation = '"C"'::regcollation
  into same
  from pg_type
  where oid = 'mintmark.ulid_as_text'::regtype;
  if not same then
    raise warning using message = 'the domain mintmark.ulid_as_text has another base type or collation, and was not changed',
      hint = 'Drop or rename it, then install the pack again.';
    return;
  end if;
  alter domain mintmark.ulid_as_text drop default;
  alter domain mintmark.ulid_as_text drop not null;
  for constraint_name in
    select conname
    from pg_constraint
    where contypid = 'mintmark.ulid_as_text'::regtype
      and contype = 'c'
      and (conname <> 'ulid_as_text_check' or pg_get_constraintdef(oid) not in (checked, checked || ' NOT VALID'))
  loop
    execute 'alter domain mintmark.ulid_as_text drop constraint ' || quote_ident(constraint_name);
  end loop;
  if not exists (
    select from pg_constraint where contypid = 'mintmark.ulid_as_text'::regtype and conname = 'ulid_as_text_check')
  then
    alter domain mintmark.ulid_as_text
      add constraint ulid_as_text_check check (value ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$') not valid;
  end if;
end
$domain$;
do $domain$
begin
  perform set_config('search_path', 'pg_catalog', true);
  if exists (
    select from pg_constraint
    where contypid = 'mintmark.ulid_as_text'::regtype and conname = 'ulid_as_text_check' and not convalidated)
  then
    alter domain mintmark.ulid_as_text validate constraint ulid_as_text_check;
  end if;
exception
  when check_violation then
    raise warning using
      message = 'values that are not canonical ULIDs are stored as mintmark.ulid_as_text: only new values are checked',
      detail = sqlerrm,
      hint = 'Correct them, then install the pack again.';
end
$domain$;

-- ---- Time

-- The time when an identifier was minted that begins with milliseconds, as ULIDs and UUIDv7s do: exact, from 1970 to
-- 10889-08-02 05:31:50.655+00. For any other UUID, the time is its first 48 bits, read as milliseconds.
create or replace function mintmark.ulid_time(id uuid) returns timestamptz
  language sql immutable strict parallel safe
  return (
    timestamp '1970-01-01 00:00:00'
    -- 2^24 milliseconds are 125 * 2^27 microseconds, so a double represents both products exactly.
    + ((get_byte(uuid_send(id), 0) << 16) | (get_byte(uuid_send(id), 1) << 8) | get_byte(uuid_send(id), 2))::float8
      * interval '16777.216 seconds'
    + ((get_byte(uuid_send(id), 3) << 16) | (get_byte(uuid_send(id), 4) << 8) | get_byte(uuid_send(id), 5))::float8
      * interval '0.001 seconds') at time zone 'UTC';

-- Fails because a time does not fit into 48 bits of milliseconds.
create or replace function mintmark.refused_time(moment timestamptz) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
begin
  raise exception using errcode = '22008',
    message = 'time '
      || case
        when isfinite(moment) then to_char(moment at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US BC') || ' UTC'
        else moment::text
      end
      || ': expected 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC';
end
$body$;

-- The milliseconds of a time, rounded down, as the first 12 hexadecimal digits of its identifiers.
create or replace function mintmark.ulid_time_digits(moment timestamptz) returns text
  language sql immutable parallel safe
  return case
    when (moment at time zone 'UTC') >= timestamp '1970-01-01 00:00:00'
      and (moment at time zone 'UTC') < timestamp '10889-08-02 05:31:50.656'
    then lpad(to_hex(floor(extract(epoch from (moment at time zone 'UTC')) * 1000::numeric)::bigint), 12, '0')
    else mintmark.refused_time(moment)
  end;

-- The least and the greatest identifier of the millisecond that a time is in. They fail with 22008 outside 1970 to 10889.
-- `where id between ulid_min('2026-01-01') and ulid_max('2026-01-31')` reads a range of the primary key.
create or replace function mintmark.ulid_min(moment timestamptz) returns uuid
  language sql immutable parallel safe
  return (mintmark.ulid_time_digits(moment) || '00000000000000000000')::uuid;

create or replace function mintmark.ulid_max(moment timestamptz) returns uuid
  language sql immutable parallel safe
  return (mintmark.ulid_time_digits(moment) || 'ffffffffffffffffffff')::uuid;

-- ulid(time) mints a ULID of a time, for rows that are older than their identifiers: the milliseconds of the time, rounded
-- down, and 80 random bits. Two of the same millisecond are in random order. Fails with 22008 outside 1970 to 10889.
create or replace function mintmark.ulid(moment timestamptz) returns uuid
  language sql volatile parallel safe
  return (
    mintmark.ulid_time_digits(moment)
    -- Without bytes 4 to 9, which contain the version and variant bits of the UUIDv4. Those are not random.
    || encode(overlay(uuid_send(gen_random_uuid()) placing ''::bytea from 4 for 6), 'hex'))::uuid;

-- Whether an identifier's time is plausible: `check (mintmark.ulid_is_sane(id))` rejects all but a few in a thousand UUIDv4s,
-- and identifiers of a clock that is more than a day ahead. Once true, it stays true. Bounds outside 1970 to 10889 are replaced
-- by these limits.
create or replace function mintmark.ulid_is_sane(
    id uuid,
    earliest timestamptz default timestamptz '2000-01-01 00:00:00+00',
    ahead interval default interval '24 hours')
  returns boolean
  language sql stable parallel safe
  return id >= mintmark.ulid_min(
      least(greatest(earliest, timestamptz '1970-01-01 00:00:00+00'), timestamptz '10889-08-02 05:31:50.655+00'))
    and id <= mintmark.ulid_max(
      least(
        greatest(
          -- Beyond both limits, and before the times that PostgreSQL does not store.
          statement_timestamp() + least(greatest(coalesce(ahead, interval '9000 years'), interval '-3000 years'), interval '9000 years'),
          timestamptz '1970-01-01 00:00:00+00'),
        timestamptz '10889-08-02 05:31:50.655+00'));

-- ---- Search by the beginning of an identifier

-- The least and the greatest identifier whose ULID begins with 1 to 26 typed characters, in either letter case:
-- `where id between ulid_prefix_min('01FZG9') and ulid_prefix_max('01FZG9')` reads a range of the primary key. They return null
-- if no ULID begins with the text.
create or replace function mintmark.ulid_prefix_min(typed text) returns uuid
  language sql immutable parallel safe
  return case when length(typed) between 1 and 26 then mintmark.try_ulid_uuid(rpad(typed, 26, '0')) end;

create or replace function mintmark.ulid_prefix_max(typed text) returns uuid
  language sql immutable parallel safe
  return case when length(typed) between 1 and 26 then mintmark.try_ulid_uuid(rpad(typed, 26, 'Z')) end;

-- The same for 1 to 32 hexadecimal digits of a UUID, in either letter case. Hyphens are ignored, wherever they are.
create or replace function mintmark.uuid_prefix_min(typed text) returns uuid
  language sql immutable parallel safe
  return case
    when replace(typed, '-', '') collate "C" ~ '^[0-9A-Fa-f]{1,32}$'
    then rpad(replace(typed, '-', ''), 32, '0')::uuid
  end;

create or replace function mintmark.uuid_prefix_max(typed text) returns uuid
  language sql immutable parallel safe
  return case
    when replace(typed, '-', '') collate "C" ~ '^[0-9A-Fa-f]{1,32}$'
    then rpad(replace(typed, '-', ''), 32, 'f')::uuid
  end;

-- Whether the ULID or the UUID of an identifier begins with a typed text. `where begins_with(id, '01FZG9')` is replaced by its
-- ranges when the query is planned, so an index on the column serves it. `0123` is the beginning of a ULID and of a UUID, and so
-- becomes two ranges. False or null, so no row, if no identifier begins with the text.
create or replace function mintmark.begins_with(id uuid, typed text) returns boolean
  language sql immutable parallel safe
  return (id >= mintmark.ulid_prefix_min(typed) and id <= mintmark.ulid_prefix_max(typed))
    or (id >= mintmark.uuid_prefix_min(typed) and id <= mintmark.uuid_prefix_max(typed));

-- ---- Fields of UUIDs

-- The fields by their names in RFC 4122 and RFC 9562, for a UUID of any version.
create or replace function mintmark.uuid_time_low(id uuid) returns bigint
  language sql immutable strict parallel safe
  return (get_byte(uuid_send(id), 0)::bigint << 24)
    | ((get_byte(uuid_send(id), 1) << 16) | (get_byte(uuid_send(id), 2) << 8) | get_byte(uuid_send(id), 3))::bigint;

create or replace function mintmark.uuid_time_mid(id uuid) returns integer
  language sql immutable strict parallel safe
  return (get_byte(uuid_send(id), 4) << 8) | get_byte(uuid_send(id), 5);

-- With the version in the upper 4 of 16 bits.
create or replace function mintmark.uuid_time_hi_version(id uuid) returns integer
  language sql immutable strict parallel safe
  return (get_byte(uuid_send(id), 6) << 8) | get_byte(uuid_send(id), 7);

-- The 14 bits of the clock sequence, without the variant.
create or replace function mintmark.uuid_clock_seq(id uuid) returns integer
  language sql immutable strict parallel safe
  return ((get_byte(uuid_send(id), 8) & 63) << 8) | get_byte(uuid_send(id), 9);

-- With the variant in the upper bits.
create or replace function mintmark.uuid_clock_seq_hi_variant(id uuid) returns integer
  language sql immutable strict parallel safe
  return get_byte(uuid_send(id), 8);

create or replace function mintmark.uuid_clock_seq_low(id uuid) returns integer
  language sql immutable strict parallel safe
  return get_byte(uuid_send(id), 9);

create or replace function mintmark.uuid_node(id uuid) returns bigint
  language sql immutable strict parallel safe
  return (((get_byte(uuid_send(id), 10) << 16) | (get_byte(uuid_send(id), 11) << 8) | get_byte(uuid_send(id), 12))::bigint << 24)
    | ((get_byte(uuid_send(id), 13) << 16) | (get_byte(uuid_send(id), 14) << 8) | get_byte(uuid_send(id), 15))::bigint;

-- The version digit, 0 to 15. An RFC defines it only if the variant is 2.
create or replace function mintmark.uuid_version(id uuid) returns integer
  language sql immutable strict parallel safe
  return get_byte(uuid_send(id), 6) >> 4;

-- 0 for NCS, 2 for RFC 9562, 6 for Microsoft, 7 reserved.
create or replace function mintmark.uuid_variant(id uuid) returns integer
  language sql immutable strict parallel safe
  return case
    when get_byte(uuid_send(id), 8) < 128 then 0
    when get_byte(uuid_send(id), 8) < 192 then 2
    when get_byte(uuid_send(id), 8) < 224 then 6
    else 7
  end;

-- The time of a number of 100 nanoseconds since 1582-10-15, rounded down to microseconds.
create or replace function mintmark.uuid_tick_time(ticks bigint) returns timestamptz
  language sql immutable strict parallel safe
  return (
    timestamp '1582-10-15 00:00:00'
    + (ticks / 10000000::bigint)::float8 * interval '1 second'
    + ((ticks % 10000000::bigint) / 10::bigint)::float8 * interval '1 microsecond') at time zone 'UTC';

-- The time of a UUID of version 1, 6 or 7, rounded down to microseconds. Null for every other version and variant.
create or replace function mintmark.uuid_time(id uuid) returns timestamptz
  language sql immutable parallel safe
  return case
    when mintmark.uuid_variant(id) <> 2 then null::timestamptz
    when mintmark.uuid_version(id) = 7 then mintmark.ulid_time(id)
    when mintmark.uuid_version(id) = 1 then mintmark.uuid_tick_time(
      ((mintmark.uuid_time_hi_version(id) & 4095)::bigint << 48)
      | (mintmark.uuid_time_mid(id)::bigint << 32)
      | mintmark.uuid_time_low(id))
    when mintmark.uuid_version(id) = 6 then mintmark.uuid_tick_time(
      (mintmark.uuid_time_low(id) << 28)
      | (mintmark.uuid_time_mid(id)::bigint << 12)
      | (mintmark.uuid_time_hi_version(id) & 4095)::bigint)
  end;

-- ---- Least and greatest

-- min(id) and max(id) of uuid columns, which PostgreSQL has no aggregates for. They read one end of an index if there is one,
-- and ignore null.
create or replace function mintmark.uuid_lesser(a uuid, b uuid) returns uuid
  language plpgsql immutable strict parallel safe
as $body$
begin
  return least(a, b);
end
$body$;

create or replace function mintmark.uuid_greater(a uuid, b uuid) returns uuid
  language plpgsql immutable strict parallel safe
as $body$
begin
  return greatest(a, b);
end
$body$;

create or replace aggregate mintmark.min(uuid) (
  sfunc = mintmark.uuid_lesser, stype = uuid, combinefunc = mintmark.uuid_lesser,
  sortop = operator(pg_catalog.<), parallel = safe);

create or replace aggregate mintmark.max(uuid) (
  sfunc = mintmark.uuid_greater, stype = uuid, combinefunc = mintmark.uuid_greater,
  sortop = operator(pg_catalog.>), parallel = safe);

-- ---- TypeIDs

-- Fails with the reason why typeid_text() rejects its prefix.
create or replace function mintmark.refused_typeid_prefix(prefix text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
begin
  raise exception using errcode = '22023',
    message = 'malformed prefix ' || mintmark.quoted(prefix)
      || ': expected at most 63 of a-z and ''_'', the first and the last a letter';
end
$body$;

-- typeid_text('user', id) is the TypeID (specification 0.3) of a UUID: user_01h455vb4pex5vsknk084sn02q. With an empty prefix
-- there is no underscore. Fails with 22023 if the prefix is malformed.
create or replace function mintmark.typeid_text(prefix text, id uuid) returns text
  language sql immutable parallel safe
  return case
    when id is null then null
    when length(prefix) <= 63 and prefix collate "C" ~ '^([a-z]([a-z_]*[a-z])?)?$'
    then
      case when length(prefix) = 0 then '' else prefix || '_' end || lower(mintmark.ulid_text(id) collate "C")
    else mintmark.refused_typeid_prefix(prefix)
  end;

-- Reads a TypeID of any type, or none. Returns null if typeid_uuid fails.
create or replace function mintmark.try_typeid_uuid(value text) returns uuid
  language sql immutable parallel safe
  return case
    when value collate "C" ~ '^([a-z]([a-z_]{0,61}[a-z])?_)?[0-7][0-9a-hjkmnp-tv-z]{25}$'
    then mintmark.try_ulid_uuid(right(value, 26))
  end;

-- Fails with the reason why a text is not a TypeID.
create or replace function mintmark.malformed_typeid(value text) returns uuid
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  wide constant text := E'[\\U00010000-\\U0010FFFF]';
  -- A digit is never an underscore: the last one separates the prefix from the digits.
  digits text := regexp_replace(value collate "C", '^.*_', '');
  separator integer := length(value) - length(digits) - 1;
  prefix text := left(value, greatest(separator, 0));
  -- A character above U+FFFF counts as two, as in Java and JavaScript.
  prefix_characters integer := length(regexp_replace(prefix collate "C", wide, '..', 'g'));
  digit_characters integer := length(regexp_replace(digits collate "C", wide, '..', 'g'));
  right_letters integer := length((regexp_match(prefix collate "C", '^[a-z_]*'))[1]);
  right_digits integer := length((regexp_match(digits collate "C", '^[0-9a-hjkmnp-tv-z]*'))[1]);
  reason text := case
    when separator = 0 then
      'it starts with ''_'': without a prefix there is no separator'
    when prefix_characters > 63 then
      'its prefix has ' || prefix_characters::text || ' characters: expected at most 63'
    when right_letters < length(prefix) then
      'character ' || right_letters::text || ', '''
      || regexp_replace(mintmark.quoted(substr(value, right_letters + 1, 1)), '^"|"$', '', 'g')
      || ''', is not a-z or ''_'', as in a prefix'
    when left(prefix, 1) collate "C" = '_' then
      'its prefix starts with ''_'''
    when right(prefix, 1) collate "C" = '_' then
      'its prefix ends with ''_'''
    when digit_characters <> 26 then
      'it has ' || digit_characters::text || case when digit_characters = 1 then ' character' else ' characters' end
      || case when separator > 0 then ' after the prefix' else '' end || ': expected 26'
    when right_digits < 26 then
      'character ' || (separator + 1 + right_digits)::text || ', '''
      || regexp_replace(mintmark.quoted(substr(digits, right_digits + 1, 1)), '^"|"$', '', 'g')
      || ''', is not Crockford base 32 in lower case'
    else
      'character ' || (separator + 1)::text || ', ''' || left(digits, 1) || ''', is above 7: it exceeds 128 bits'
  end;
begin
  raise exception using errcode = '22P02', message = 'malformed TypeID ' || mintmark.quoted(value) || ': ' || reason;
end
$body$;

-- The UUID of a TypeID of any type, in lower case. Fails with 22P02 and the reason if the text is malformed.
create or replace function mintmark.typeid_uuid(value text) returns uuid
  language sql immutable parallel safe
  return coalesce(mintmark.try_typeid_uuid(value), mintmark.malformed_typeid(value));

-- ---- pURIs

-- A segment of a pURI, percent-encoded: every byte of its UTF-8 that is not unreserved in RFC 3986.
create or replace function mintmark.puri_escaped(segment text) returns text
  language sql immutable strict parallel safe
  return (
    select string_agg(
      case
        when part.piece[1] collate "C" ~ '^[A-Za-z0-9._~-]' then part.piece[1]
        else regexp_replace(upper(encode(convert_to(part.piece[1], 'UTF8'), 'hex') collate "C"), '(..)', E'%\\1', 'g')
      end, '' order by part.place)
    from regexp_matches(segment collate "C", '[A-Za-z0-9._~-]+|[^A-Za-z0-9._~-]', 'g') with ordinality part (piece, place));

-- Fails with the reason why puri() rejects its arguments.
create or replace function mintmark.refused_puri(namespace text, collection text, identifier text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  written integer;
begin
  if '' in (namespace, collection, identifier) then
    raise exception using errcode = '22023',
      message = 'malformed pURI: its '
        || case '' when namespace then 'namespace' when collection then 'collection' else 'identifier' end || ' is empty';
  end if;
  written := length(mintmark.puri_escaped(namespace)) + length(mintmark.puri_escaped(collection))
    + length(mintmark.puri_escaped(identifier)) + 2;
  raise exception using errcode = '22023',
    message = 'malformed pURI: it would have ' || written::text || ' characters: expected at most 1024';
end
$body$;

-- puri('bobsburgers', 'meats', id) is the pURI of three segments, which it percent-encodes: bobsburgers:meats:017fe093-... It
-- does not change letters: puri_canonical() does. Fails with 22023 if a segment is empty, or if there are more than 1,024
-- characters.
create or replace function mintmark.puri(namespace text, collection text, identifier text) returns text
  language sql immutable parallel safe
  return case
    when namespace || ':' || collection || ':' || identifier collate "C"
        ~ '^[A-Za-z0-9._~-]+:[A-Za-z0-9._~-]+:[A-Za-z0-9._~-]+$'
      and length(namespace) + length(collection) + length(identifier) <= 1022
    then namespace || ':' || collection || ':' || identifier
    when length(namespace) > 0 and length(collection) > 0 and length(identifier) > 0
      and length(mintmark.puri_escaped(namespace)) + length(mintmark.puri_escaped(collection))
        + length(mintmark.puri_escaped(identifier)) <= 1022
    then mintmark.puri_escaped(namespace) || ':' || mintmark.puri_escaped(collection) || ':' || mintmark.puri_escaped(identifier)
    else mintmark.refused_puri(namespace, collection, identifier)
  end;

create or replace function mintmark.puri(namespace text, collection text, id uuid) returns text
  language sql immutable parallel safe
  return mintmark.puri(namespace, collection, id::text);

create or replace function mintmark.puri(namespace text, collection text, id bigint) returns text
  language sql immutable parallel safe
  return mintmark.puri(namespace, collection, id::text);

-- Whether bytes are UTF-8 that a text can hold: without U+0000, which PostgreSQL does not store.
create or replace function mintmark.is_utf8(bytes bytea) returns boolean
  language sql immutable strict parallel safe
  return encode(bytes, 'hex') collate "C" ~ (
    '^(0[1-9a-f]|[1-7].|(c[2-9a-f]|d.)[89ab].|e0[ab].[89ab].|(e[1-9a-cef])([89ab].){2}|ed[89].[89ab].'
    '|f0[9ab].([89ab].){2}|f[1-3]([89ab].){3}|f48.([89ab].){2})*$');

-- The bytes of a segment whose escapes are complete.
create or replace function mintmark.puri_bytes(segment text) returns bytea
  language sql immutable strict parallel safe
  return (
    select string_agg(
      case
        when starts_with(part.piece[1], '%') then decode(substr(part.piece[1], 2), 'hex')
        else convert_to(part.piece[1], 'UTF8')
      end, ''::bytea order by part.place)
    from regexp_matches(segment collate "C", '%[0-9A-Fa-f]{2}|[^%]+', 'g') with ordinality part (piece, place));

-- The three decoded segments of a text that has the form of a pURI; null if its escapes are not UTF-8.
create or replace function mintmark.puri_unescaped(value text) returns text[]
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  parts text[] := string_to_array(value, ':');
  bytes bytea;
begin
  for place in 1 .. 3 loop
    if strpos(parts[place], '%') > 0 then
      bytes := mintmark.puri_bytes(parts[place]);
      if not mintmark.is_utf8(bytes) then
        return null;
      end if;
      parts[place] := convert_from(bytes, 'UTF8');
    end if;
  end loop;
  return parts;
end
$body$;

-- The three decoded segments of a pURI, in an array. Null if puri_namespace() fails.
create or replace function mintmark.try_puri_parts(value text) returns text[]
  language sql immutable parallel safe
  return case
    when length(value) <= 1024
      and value collate "C" ~ (
        '^([A-Za-z0-9._~!$&''()*+,;=@-]|%[0-9A-Fa-f]{2})+:([A-Za-z0-9._~!$&''()*+,;=@-]|%[0-9A-Fa-f]{2})+'
        ':([A-Za-z0-9._~!$&''()*+,;=@-]|%[0-9A-Fa-f]{2})+$')
      -- With only the necessary escapes: characters that may be unescaped become three, escapes of unreserved ones one.
      and (length(value) <= 342
        or length(regexp_replace(
          regexp_replace(value collate "C", '[!$&''()*+,;=@]', '...', 'g'),
          '%(2[DEde]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee])', '.', 'g')) <= 1024)
    then case when strpos(value, '%') = 0 then string_to_array(value, ':') else mintmark.puri_unescaped(value) end
  end;

-- Fails with the reason why a text is not a pURI.
create or replace function mintmark.malformed_puri(value text) returns text[]
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  -- A character above U+FFFF counts as two, as in Java and JavaScript.
  characters integer := length(regexp_replace(value collate "C", E'[\\U00010000-\\U0010FFFF]', '..', 'g'));
  segments text[] := string_to_array(value, ':');
  reason text;
  start integer := 0;
  segment text;
  right_characters integer;
  letter text;
begin
  if characters > 1024 then
    reason := 'it has ' || characters::text || ' characters: expected at most 1024';
  elsif coalesce(array_length(segments, 1), 1) <> 3 then
    reason := 'it has ' || coalesce(array_length(segments, 1), 1)::text || ' segments: expected namespace:collection:identifier';
  else
    foreach segment in array segments loop
      right_characters := length(substring(segment collate "C" from '^(?:[A-Za-z0-9._~!$&''()*+,;=@-]|%[0-9A-Fa-f]{2})*'));
      letter := substr(segment, right_characters + 1, 1);
      reason := case
        when length(segment) = 0 then
          'the segment at character ' || start::text || ' is empty'
        when right_characters < length(segment) then
          'character ' || (start + right_characters)::text || ', '''
          || regexp_replace(mintmark.quoted(letter), '^"|"$', '', 'g') || ''', '
          || case letter when '%' then 'does not start an escape such as %3A' else 'must be percent-encoded' end
        when position('00' in regexp_replace(encode(mintmark.puri_bytes(segment), 'hex'), '(..)', E'\\1 ', 'g')) > 0
          and mintmark.is_utf8(decode(regexp_replace(
            regexp_replace(encode(mintmark.puri_bytes(segment), 'hex'), '(..)', E'\\1 ', 'g'), '00 ', '', 'g'), 'hex')) then
          'the escapes in the segment at character ' || start::text || ' contain U+0000, which PostgreSQL does not store'
        when not mintmark.is_utf8(mintmark.puri_bytes(segment)) then
          'the escapes in the segment at character ' || start::text || ' are not UTF-8'
      end;
      exit when reason is not null;
      start := start + length(segment) + 1;
    end loop;
    if reason is null then
      segments := mintmark.puri_unescaped(value);
      characters := length(mintmark.puri_escaped(segments[1])) + length(mintmark.puri_escaped(segments[2]))
        + length(mintmark.puri_escaped(segments[3])) + 2;
      reason := 'it has ' || characters::text || ' characters with the necessary escapes: expected at most 1024';
    end if;
  end if;
  raise exception using errcode = '22P02', message = 'malformed pURI ' || mintmark.quoted(value) || ': ' || reason;
end
$body$;

-- The segments of a pURI, decoded, in their original letter case. They fail with 22P02 and the reason if the text is malformed.
create or replace function mintmark.puri_namespace(value text) returns text
  language sql immutable parallel safe
  return (coalesce(mintmark.try_puri_parts(value), mintmark.malformed_puri(value)))[1];

create or replace function mintmark.puri_collection(value text) returns text
  language sql immutable parallel safe
  return (coalesce(mintmark.try_puri_parts(value), mintmark.malformed_puri(value)))[2];

create or replace function mintmark.puri_identifier(value text) returns text
  language sql immutable parallel safe
  return (coalesce(mintmark.try_puri_parts(value), mintmark.malformed_puri(value)))[3];

-- The one text of all equal pURIs: A-Z of namespace and collection in lower case, with only necessary escapes. Fails with 22P02
-- if the text is malformed.
create or replace function mintmark.puri_canonical(value text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  -- As a variable, so that the parts are computed once.
  parts text[] := coalesce(mintmark.try_puri_parts(value), mintmark.malformed_puri(value));
begin
  return mintmark.puri(lower(parts[1] collate "C"), lower(parts[2] collate "C"), parts[3]);
end
$body$;

-- ---- NanoIDs

-- nanoid(n): n random characters, 1 to 255 (otherwise 22023), of the 64 that need no escape in a URL. Each has 6 random bits.
create or replace function mintmark.nanoid(size integer default 21) returns text
  language plpgsql volatile strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  letters constant text := 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
  noise bytea := ''::bytea;
  id text := ''::text;
begin
  if size < 1 or size > 255 then
    raise exception using errcode = '22023', message = 'nanoid(' || size::text || '): expected 1 to 255';
  end if;
  while octet_length(noise) < size loop
    -- Without bytes 7 and 9, which contain the version and variant bits of the UUIDv4. Those are not random.
    noise := noise || overlay(overlay(uuid_send(gen_random_uuid()) placing ''::bytea from 9 for 1) placing ''::bytea from 7 for 1);
  end loop;
  for i in 0 .. size - 1 loop
    id := id || substr(letters, (get_byte(noise, i) & 63) + 1, 1);
  end loop;
  return id;
end
$body$;

-- ---- Numbers with a prefix

-- Fails with the reason why prefixed() rejects its arguments.
create or replace function mintmark.refused_prefixed(prefix text, number bigint, width integer) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
begin
  raise exception using errcode = '22023', message = case
    when number < 0::bigint then
      'number ' || number::text || ': expected 0 to 9223372036854775807'
    when width not between 0 and 18 then
      'width ' || width::text || ': expected 0 to 18 digits'
    else
      'malformed prefix ' || mintmark.quoted(prefix)
      || ': expected at most 16 of A-Z, a-z, 0-9, ''-'' and ''_'', the first a letter and the last not a digit'
  end;
end
$body$;

-- prefixed('PM', 123, 6) is PM000123. A number of more digits than the width is written in full. Fails with 22023 if the
-- prefix, the number or the width is invalid. For a column beside a number column:
-- `ref text generated always as (mintmark.prefixed('PM', id, 6)) stored`. For a column without a number column:
-- `id text default mintmark.prefixed('PM', nextval('payments_seq'), 6)`.
create or replace function mintmark.prefixed(prefix text, number bigint, width integer) returns text
  language sql immutable parallel safe
  return case
    when number >= 0::bigint
      and width between 0 and 18
      and length(prefix) <= 16
      and prefix collate "C" ~ '^([A-Za-z]([A-Za-z0-9_-]*[A-Za-z_-])?)?$'
    then prefix || lpad(number::text, greatest(width, length(number::text)), '0')
    else mintmark.refused_prefixed(prefix, number, width)
  end;

-- Reads the number after a prefix, with or without leading zeros, at most 19 digits. Fails with 22P02 for any other text.
create or replace function mintmark.unprefixed(prefix text, value text) returns bigint
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  digits text := substr(value, length(prefix) + 1);
begin
  if starts_with(value collate "C", prefix collate "C")
    and digits collate "C" ~ '^[0-9]{1,19}$'::text
    and digits::numeric <= 9223372036854775807::numeric
  then
    return digits::bigint;
  end if;
  raise exception using errcode = '22P02',
    message = 'malformed sequence id ' || mintmark.quoted(value) || ': expected ' || mintmark.quoted(prefix)
      || ' and 1 to 19 digits, at most 9223372036854775807';
end
$body$;

-- ---- Pages

-- Why a row of a table could get an id below the horizon of its pages; null if none can. The arguments are those of
-- page_horizon().
create or replace function mintmark.page_refusal(page_table regclass, id_column name, trusted regprocedure[]) returns text
  language plpgsql stable parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  parts oid[];
  family oid[];
  found record;
  others text;
begin
  with recursive part (oid) as (
    select page_table::oid
    union
    select i.inhrelid from pg_inherits i join part on part.oid = i.inhparent),
  whole (oid) as (
    select page_table::oid
    union
    select i.inhparent from pg_inherits i join whole on whole.oid = i.inhrelid)
  select array(select oid from part), array(select oid from part union select oid from whole)
  into parts, family;

  select c.relkind, a.attnum, a.attnotnull, t.typname, t.typbasetype = 'uuid'::regtype or t.oid = 'uuid'::regtype as is_uuid
  into found
  from pg_class c
  left join pg_attribute a on a.attrelid = c.oid and a.attname = id_column and a.attnum > 0 and not a.attisdropped
  left join pg_type t on t.oid = a.atttypid
  where c.oid = page_table;
  if found.relkind is null or found.relkind not in ('r', 'p') then
    return 'expected a table or a partitioned table';
  elsif found.attnum is null then
    return 'there is no column ' || mintmark.quoted(id_column);
  elsif not found.is_uuid then
    return 'column ' || mintmark.quoted(id_column) || ' is of type ' || found.typname || ': expected uuid';
  elsif not found.attnotnull then
    return 'column ' || mintmark.quoted(id_column) || ' may be null';
  elsif not exists (
    select from pg_index i
    where i.indrelid = page_table and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
      and found.attnum = any (i.indkey))
  then
    return 'expected a unique index with column ' || mintmark.quoted(id_column) || ', without conditions or expressions';
  end if;

  -- The expressions are printed with pg_catalog on the path, so each names one function.
  select string_agg(distinct coalesce(pg_get_expr(d.adbin, d.adrelid), 'nothing'), ', ')
  into others
  from pg_attribute a
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = any (parts)
    and a.attname = id_column
    and (a.attgenerated <> ''
      or coalesce(pg_get_expr(d.adbin, d.adrelid), '') <> all (array(
        select p.oid::regprocedure::text
        from pg_proc p
        where p.pronargs = 0
          and (p.oid = any (trusted)
            or p.oid in (
              to_regprocedure('mintmark.ulid()'), to_regprocedure('mintmark.uuidv7()'),
              to_regprocedure('mintmark.ulid_monotonic()'), to_regprocedure('pg_catalog.uuidv7()'))))));
  if others is not null then
    return 'column ' || mintmark.quoted(id_column) || ' defaults to ' || others
      || ': expected ulid(), ulid_monotonic() or uuidv7() of the pack, uuidv7() of PostgreSQL, or a function in trusted, '
      || 'in every partition and child of the table';
  end if;

  -- Triggers before insert (2, 4) for each row (1) that may assign the column, or the whole row.
  select string_agg(distinct t.tgname || ' of ' || c.relname, ', ')
  into others
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  join pg_proc p on p.oid = t.tgfoid
  join pg_language l on l.oid = p.prolang
  cross join (select '"?' || regexp_replace(id_column::text, '([^[:alnum:]_])', E'\\\\\\1', 'g') || '"?') written (pattern)
  where t.tgrelid = any (parts)
    and t.tgtype::integer & 7 = 7
    and not t.tgisinternal
    and t.tgenabled in ('O', 'A')
    and l.lanname <> 'internal'
    and t.tgfoid <> all (trusted)
    and case l.lanname
      when 'plpgsql' then
        p.prosrc ~* (E'\\mnew\\s*\\.\\s*' || written.pattern || E'\\s*:?=')
        or p.prosrc ~* (E'\\minto\\s[^;]*\\mnew\\s*\\.\\s*' || written.pattern)
        or p.prosrc ~* E'\\mnew\\s*:?='
        or p.prosrc ~* E'\\minto\\s+(strict\\s+)?new\\M\\s*[^.[:space:]]'
      when 'c' then position(id_column::text in encode(t.tgargs, 'escape')) > 0
      else position(id_column::text in p.prosrc) > 0
    end;
  if others is not null then
    return 'column ' || mintmark.quoted(id_column) || ' may be assigned by a trigger before a row is inserted: ' || others;
  end if;
  if exists (select from pg_class c where c.oid = any (parts) and c.relkind = 'f') then
    return 'a foreign partition or child has rows with ids of another server';
  elsif exists (select from pg_subscription_rel s where s.srrelid = any (family)) then
    return 'the table is part of a subscription, with ids of another server';
  end if;
  return null;
end
$body$;

-- The horizon of gap-free pages by minted id: no id below it can appear any more. Read it in a statement of its own, and the
-- page in a later one. As a procedure, it cannot be called in the statement that reads the page, where it would be wrong.
--
--   call mintmark.page_horizon('incidents', null);             -- a uuid; for the next page, pass the horizon of this one
--   select * from incidents where id > $cursor and id < $horizon order by id limit 25;
--
-- A committed row at or above the horizon is returned by a later page. Every condition that PostgreSQL shows is checked:
-- docs/pages.md lists them, and what you must ensure. If one does not hold, the procedure fails (55000, 42501, 25000 or 22023)
-- with the reason and a remedy. id_column defaults to id. clock_slack, 1 ms to 1 hour, is by how much the server's clock may
-- step back between two statements; rows appear that much later. Functions in trusted mint by clock_timestamp(), or are triggers
-- that do not assign the id. The role must be a member of pg_read_all_stats. Takes no locks but those of reading the table.
create or replace procedure mintmark.page_horizon(
    page_table regclass,
    inout horizon uuid default null,
    id_column name default 'id',
    clock_slack interval default interval '100 milliseconds',
    trusted regprocedure[] default '{}')
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $body$
declare
  pages constant text := 'pages of ' || mintmark.quoted(page_table::text) || ': ';
  starts record;
  reason text;
  ahead uuid;
begin
  if clock_slack is null or not clock_slack between interval '1 millisecond' and interval '1 hour' then
    raise exception using errcode = '22023',
      message = pages || 'clock_slack ' || coalesce(clock_slack::text, 'null') || ': expected 1 ms to 1 hour';
  elsif page_table is null or id_column is null or trusted is null then
    raise exception using errcode = '22004', message = 'page_horizon: the table, id_column and trusted must not be null';
  elsif pg_is_in_recovery() then
    raise exception using errcode = '55000', message = pages || 'a standby does not know all open transactions',
      hint = 'Read from the primary.';
  elsif current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    raise exception using errcode = '25000',
      message = pages || 'the transaction keeps one snapshot: expected isolation level read committed',
      hint = 'begin isolation level read committed, or set default_transaction_isolation.';
  elsif not pg_has_role('pg_read_all_stats', 'usage') then
    raise exception using errcode = '42501',
      message = pages || 'this role may not see when the transactions of other sessions began',
      hint = 'grant pg_read_all_stats to ' || quote_ident(current_user) || '. Or read pages by transaction.';
  end if;

  -- Sessions are read first: a transaction that ends afterwards is in the snapshot of the page. A worker may not have reported
  -- its start yet, so this is tried again.
  for attempt in 1 .. 3 loop
    select least(now(), min(s.xact_start)) as oldest,
      count(*) filter (where s.state = 'disabled') as untracked,
      count(*) filter (
        where s.xact_start is null
          and (s.backend_xid is not null or s.backend_xmin is not null
            or s.state in ('idle in transaction', 'idle in transaction (aborted)'))
          and not exists (select from pg_stat_replication r where r.pid = s.pid and r.state <> 'startup')) as unreported
    into starts
    from pg_stat_activity s
    where s.datname = current_database() and s.backend_type is distinct from 'autovacuum worker';
    exit when starts.unreported = 0;
    perform pg_stat_clear_snapshot();
  end loop;
  if starts.untracked > 0 or starts.unreported > 0 then
    raise exception using errcode = '55000',
      message = pages || 'sessions do not report when their transaction began (track_activities off='
        || starts.untracked::text || ', background workers=' || starts.unreported::text || ')',
      hint = 'Set track_activities on for every role. Or read pages by transaction.';
  end if;

  -- After the sessions, so that a transaction that is prepared in between is found.
  if exists (select from pg_prepared_xacts where database = current_database()) then
    raise exception using errcode = '55000', message = pages || 'prepared transactions have no known start',
      hint = 'Commit or roll them back first: select gid from pg_prepared_xacts.';
  end if;
  reason := mintmark.page_refusal(page_table, id_column, trusted);
  if reason is not null then
    raise exception using errcode = '55000', message = pages || reason,
      hint = 'Let the server mint every id, by the default of the column. Or read pages by transaction.';
  end if;
  if mintmark.ulid_time(horizon) > clock_timestamp() then
    raise exception using errcode = '55000',
      message = pages || 'the server''s clock is behind the horizon of the page before, ' || mintmark.ulid_time(horizon)::text,
      hint = 'The clock stepped back by more than clock_slack: start again from the first page.';
  end if;

  -- Random ids are in the far future. Only the end of an index is read.
  if exists (
    select from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = page_table and i.indisvalid and i.indpred is null and a.attname = id_column)
  then
    execute format('select %1$I::uuid from %2$s where %1$I >= $1 order by %1$I limit 1', id_column, page_table)
      into ahead using mintmark.ulid_min(clock_timestamp() + interval '1 day');
    if ahead is not null then
      raise exception using errcode = '55000',
        message = pages || 'the row with id ' || ahead::text || ' would be held back until ' || mintmark.ulid_time(ahead)::text
          || ', more than a day from now: it was not minted by the server''s clock',
        hint = 'Give the row another id. Or read pages by transaction.';
    end if;
  end if;
  horizon := mintmark.ulid_min(starts.oldest - clock_slack);
end
$body$;

-- ---- Privileges

-- Granted explicitly, because the default privileges of the role that runs this may differ. nextval requires usage on the
-- sequence. Only ulid_clock_forward() may set it.
grant execute on function
  mintmark.are_ulid_letters(bytea),
  mintmark.begins_with(uuid, text),
  mintmark.crockford_digit(integer),
  mintmark.crockford_pair(integer),
  mintmark.is_utf8(bytea),
  mintmark.malformed_puri(text),
  mintmark.malformed_typeid(text),
  mintmark.malformed_ulid(text),
  mintmark.max(uuid),
  mintmark.min(uuid),
  mintmark.nanoid(integer),
  mintmark.pack_version(),
  mintmark.page_refusal(regclass, name, regprocedure[]),
  mintmark.prefixed(text, bigint, integer),
  mintmark.puri(text, text, bigint),
  mintmark.puri(text, text, text),
  mintmark.puri(text, text, uuid),
  mintmark.puri_bytes(text),
  mintmark.puri_canonical(text),
  mintmark.puri_collection(text),
  mintmark.puri_escaped(text),
  mintmark.puri_identifier(text),
  mintmark.puri_namespace(text),
  mintmark.puri_unescaped(text),
  mintmark.quoted(text),
  mintmark.refused_prefixed(text, bigint, integer),
  mintmark.refused_puri(text, text, text),
  mintmark.refused_time(timestamptz),
  mintmark.refused_typeid_prefix(text),
  mintmark.try_puri_parts(text),
  mintmark.try_typeid_uuid(text),
  mintmark.try_ulid_uuid(text),
  mintmark.typeid_text(text, uuid),
  mintmark.typeid_uuid(text),
  mintmark.ulid(),
  mintmark.ulid(timestamptz),
  mintmark.ulid_clock_forward(),
  mintmark.ulid_clock_now(),
  mintmark.ulid_is_sane(uuid, timestamptz, interval),
  mintmark.ulid_max(timestamptz),
  mintmark.ulid_middle(bytea),
  mintmark.ulid_min(timestamptz),
  mintmark.ulid_monotonic(),
  mintmark.ulid_needs_clock(bigint, bigint),
  mintmark.ulid_of_draw(bigint, bigint, uuid),
  mintmark.ulid_of_letters(bytea, integer),
  mintmark.ulid_of_tick(bigint, bytea),
  mintmark.ulid_prefix_max(text),
  mintmark.ulid_prefix_min(text),
  mintmark.ulid_text(uuid),
  mintmark.ulid_text_of(bytea),
  mintmark.ulid_time(uuid),
  mintmark.ulid_time_digits(timestamptz),
  mintmark.ulid_uuid(text),
  mintmark.ulids(bigint),
  mintmark.unprefixed(text, text),
  mintmark.uuid_clock_seq(uuid),
  mintmark.uuid_clock_seq_hi_variant(uuid),
  mintmark.uuid_clock_seq_low(uuid),
  mintmark.uuid_greater(uuid, uuid),
  mintmark.uuid_lesser(uuid, uuid),
  mintmark.uuid_node(uuid),
  mintmark.uuid_prefix_max(text),
  mintmark.uuid_prefix_min(text),
  mintmark.uuid_tick_time(bigint),
  mintmark.uuid_time(uuid),
  mintmark.uuid_time_hi_version(uuid),
  mintmark.uuid_time_low(uuid),
  mintmark.uuid_time_mid(uuid),
  mintmark.uuid_variant(uuid),
  mintmark.uuid_version(uuid),
  mintmark.uuidv7()
  to public;
grant execute on procedure mintmark.page_horizon(regclass, uuid, name, interval, regprocedure[]) to public;
revoke all on sequence mintmark.ulid_clock from public;
grant usage on sequence mintmark.ulid_clock to public;
grant usage on type mintmark.ulid_as_text to public;
grant usage on schema mintmark to public;

-- ---- Record

-- Records how this server writes the definitions of the functions, in the comment on pack_version(): `mintmark pack verify`
-- compares with that where it may not create objects, for example on a standby.
do $record$
declare
  names constant name[] := array[
    'are_ulid_letters', 'begins_with', 'crockford_digit', 'crockford_pair', 'is_utf8', 'malformed_puri',
    'malformed_typeid', 'malformed_ulid', 'max', 'min', 'nanoid', 'pack_version', 'page_horizon', 'page_refusal',
    'prefixed', 'puri', 'puri_bytes', 'puri_canonical', 'puri_collection', 'puri_escaped', 'puri_identifier',
    'puri_namespace', 'puri_unescaped', 'quoted', 'refused_prefixed', 'refused_puri', 'refused_time',
    'refused_typeid_prefix', 'try_puri_parts', 'try_typeid_uuid', 'try_ulid_uuid', 'typeid_text', 'typeid_uuid', 'ulid',
    'ulid_clock_forward', 'ulid_clock_now', 'ulid_is_sane', 'ulid_max', 'ulid_middle', 'ulid_min', 'ulid_monotonic',
    'ulid_needs_clock', 'ulid_of_draw', 'ulid_of_letters', 'ulid_of_tick', 'ulid_prefix_max', 'ulid_prefix_min',
    'ulid_text', 'ulid_text_of', 'ulid_time', 'ulid_time_digits', 'ulid_uuid', 'ulids', 'unprefixed', 'uuid_clock_seq',
    'uuid_clock_seq_hi_variant', 'uuid_clock_seq_low', 'uuid_greater', 'uuid_lesser', 'uuid_node', 'uuid_prefix_max',
    'uuid_prefix_min', 'uuid_tick_time', 'uuid_time', 'uuid_time_hi_version', 'uuid_time_low', 'uuid_time_mid',
    'uuid_variant', 'uuid_version', 'uuidv7'];
  record text;
begin
  begin
    perform set_config('search_path', 'pg_catalog', true);
    perform set_config('quote_all_identifiers', 'off', true);
    perform set_config('standard_conforming_strings', 'on', true);
    perform set_config('datestyle', 'ISO, MDY', true);
    perform set_config('timezone', 'UTC', true);
    perform set_config('intervalstyle', 'postgres', true);
    perform set_config('bytea_output', 'hex', true);
    perform set_config('extra_float_digits', '1', true);
    select string_agg(
      md5(pg_get_functiondef(oid)) || ' ' || quote_ident(proname) || '(' || oidvectortypes(proargtypes) || ')', E'\n'
      order by proname, oidvectortypes(proargtypes))
    into record
    from pg_proc
    where pronamespace = to_regnamespace('mintmark')
      and prokind in ('f', 'p')
      and proname = any (names);
    raise exception using errcode = 'MM000', message = 'restores the settings';
  exception
    when sqlstate 'MM000' then
      null;
  end;
  execute pg_catalog.concat(
    'comment on function mintmark.pack_version() is ',
    pg_catalog.quote_literal(pg_catalog.concat(
      'Mintmark pack 7 on PostgreSQL ', pg_catalog.current_setting('server_version_num')::integer / 10000, E':\n', record)));
end
$record$;

-- Restores the search_path for what follows in the same transaction.
do $path$
begin
  if pg_catalog.length(pg_catalog.current_setting('mintmark_pack.search_path', true)) > 0 then
    perform pg_catalog.set_config('search_path', pg_catalog.current_setting('mintmark_pack.search_path'), true);
  end if;
end
$path$;
