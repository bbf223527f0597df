-- Macros for DuckDB 1.4 and later. The only extension that they need is icu, for times with a zone; DuckDB includes it. Macros that are not
-- listed in docs/warehouse.md are internal and may change at any time.
--
-- A macro inserts its argument at each use of the parameter. So no macro uses an expensive expression twice: a lambda over a list of one
-- element gives the expression a name. No lambda calls error(), because DuckDB could not compute such an expression before the query.
-- With constant arguments, every macro is a constant when a query begins.

-- ---- Versions of DuckDB

select case
  when regexp_full_match(version(), 'v(0|1[.][0-3])[.].*') then error('these macros need DuckDB 1.4 or later: this is ' || version())
  else version()
end as duckdb;

-- DuckDB 1 has no casts between UUIDs and numbers: there, a UUID is a number by way of its bits. version() is a constant, so one branch
-- remains of these conditions before a query begins; but not in a lambda, so there are two macros for each version.

-- The 128 bits of a UUID as a number, and back.
create or replace macro mintmark.uuid_bits(id) as
  case when version() < 'v2' then id::blob::bit::uhugeint else id::uhugeint end;

create or replace macro mintmark.bits_uuid(bits) as
  case when version() < 'v2' then bits::bit::blob::uuid else bits::uuid end;

-- ---- Base 32

-- Calculations on a UUID use 64-bit numbers with eight digits of base 32 each, one digit per byte. So eight digits cost as much as one,
-- and DuckDB applies an operation to many rows at a time.

-- The 128 bits as four numbers, of 2, 8, 8 and 8 digits with 5 bits each.
create or replace macro mintmark.base32_groups(id) as
  list_transform(
    [mintmark.uuid_bits(id)],
    lambda bits: [
      (bits >> 120)::ubigint,
      ((bits >> 64)::ubigint >> 16) & 1099511627775,
      (((bits >> 64)::ubigint & 65535) * 16777216) | ((bits & 18446744073709551615)::ubigint >> 40),
      (bits & 1099511627775)::ubigint])[1];

-- The same numbers with each digit in a byte of its own: moves apart the halves, then the quarters, then the eighths.
create or replace macro mintmark.base32_spread(groups) as
  list_transform(
    list_transform(
      list_transform(
        groups,
        -- 00000000000FFFFF and 000000FFFFF00000
        lambda bits: (bits & 1048575) | ((bits & 1099510579200) * 4096)),
      -- 000003FF000003FF and 000FFC00000FFC00
      lambda bits: (bits & 4393751544831) | ((bits & 4499201581906944) * 64)),
    -- 001F001F001F001F and 03E003E003E003E0
    lambda bits: (bits & 8725857424048159) | ((bits & 279227437569541088) * 8));

-- Each digit as its character. Digits from 10 are letters: gap is added to their character. From 18, 20, 22 and 27, one more is added each
-- time, because there is no I, L, O and U. If 128 - n is added to a digit that is at least n, the highest bit of its byte is set.
create or replace macro mintmark.base32_characters(groups, gap) as
  list_transform(
    groups,
    lambda digits: digits
      + 3472328296227680304
      + (((digits + 8536140394893047414) >> 7) & 72340172838076673) * gap
      + (((digits + 7957419012188434030) >> 7) & 72340172838076673)
      + (((digits + 7812738666512280684) >> 7) & 72340172838076673)
      + (((digits + 7668058320836127338) >> 7) & 72340172838076673)
      + (((digits + 7306357456645743973) >> 7) & 72340172838076673));

-- Two groups as a number of 16 bytes.
create or replace macro mintmark.base32_pair(upper, lower) as
  upper::uhugeint * 18446744073709551616 | lower;

-- The last 26 of the 32 bytes of four groups.
create or replace macro mintmark.base32_shown_1(groups) as
  list_transform(
    [groups],
    lambda groups: substring(
      decode(
        mintmark.base32_pair(groups[1], groups[2])::bit::blob || mintmark.base32_pair(groups[3], groups[4])::bit::blob),
      7,
      26))[1];

create or replace macro mintmark.base32_shown_2(groups) as
  list_transform(
    [groups],
    lambda groups: substring(
      decode(
        mintmark.base32_pair(groups[1], groups[2])::uuid::blob || mintmark.base32_pair(groups[3], groups[4])::uuid::blob),
      7,
      26))[1];

-- The 26 digits of a UUID; gap is 7 for letters in upper case, 39 for lower case.
create or replace macro mintmark.base32_text(id, gap) as
  case
    when version() < 'v2'
    then mintmark.base32_shown_1(
      mintmark.base32_characters(mintmark.base32_spread(mintmark.base32_groups(id)), gap))
    else mintmark.base32_shown_2(
      mintmark.base32_characters(mintmark.base32_spread(mintmark.base32_groups(id)), gap))
  end;

-- Each character, one byte, as its digit: the reverse of base32_characters.
create or replace macro mintmark.base32_digits(groups) as
  list_transform(
    list_transform(
      groups,
      -- Lower case. Digits do not change.
      lambda characters: characters | 2314885530818453536),
    lambda characters: characters
      - 3472328296227680304
      - ((characters >> 6) & 72340172838076673) * 39
      -- One less from i, l, o and u.
      - (((characters + 1663823975275763479) >> 7) & 72340172838076673)
      - (((characters + 1446803456761533460) >> 7) & 72340172838076673)
      - (((characters + 1229782938247303441) >> 7) & 72340172838076673)
      - (((characters + 795741901218843403) >> 7) & 72340172838076673));

-- Each group without the gaps between its digits: the reverse of base32_spread.
create or replace macro mintmark.base32_packed(groups) as
  list_transform(
    list_transform(
      list_transform(
        groups,
        lambda digits: (digits & 8725857424048159) | ((digits >> 3) & 279227437569541088)),
      lambda digits: (digits & 4393751544831) | ((digits >> 6) & 4499201581906944)),
    lambda digits: (digits & 1048575) | ((digits >> 12) & 1099510579200));

-- 26 characters as two numbers: the first 16 and the last 16.
create or replace macro mintmark.base32_halves_1(value) as
  list_transform(
    [value],
    lambda text: [encode(substring(text, 1, 16))::bit::uhugeint, encode(substring(text, 11, 16))::bit::uhugeint]);

create or replace macro mintmark.base32_halves_2(value) as
  list_transform(
    [value],
    lambda text: [encode(substring(text, 1, 16))::uuid::uhugeint, encode(substring(text, 11, 16))::uuid::uhugeint]);

-- Four numbers: the first 8 characters, six zeros and the next 2, then 8 and 8.
create or replace macro mintmark.base32_read(halves) as
  list_transform(
    halves,
    lambda halves: [
      (halves[1] >> 64)::ubigint,
      ((halves[1] >> 48) & 65535)::ubigint | 3472328296227667968,
      (halves[2] >> 64)::ubigint,
      (halves[2] & 18446744073709551615)::ubigint])[1];

-- The 128 bits of four groups.
create or replace macro mintmark.base32_bits(groups) as
  list_transform(
    [groups],
    lambda groups:
      (groups[1]::uhugeint * 1237940039285380274899124224)
      | (groups[2]::uhugeint * 1208925819614629174706176)
      | (groups[3]::uhugeint * 1099511627776)
      | groups[4])[1];

-- The UUID of 26 valid digits in either letter case.
create or replace macro mintmark.base32_uuid(value) as
  case
    when version() < 'v2'
    then mintmark.base32_bits(
      mintmark.base32_packed(mintmark.base32_digits(mintmark.base32_read(mintmark.base32_halves_1(value)))))::bit::blob::uuid
    else mintmark.base32_bits(
      mintmark.base32_packed(mintmark.base32_digits(mintmark.base32_read(mintmark.base32_halves_2(value)))))::uuid
  end;

-- ---- Messages for malformed text

-- One character as a message shows it.
create or replace macro mintmark.shown(letter) as
  case
    when letter in ('"', '\') then '\' || letter
    when regexp_full_match(letter, '[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]') then '\u' || lpad(lower(hex(ord(letter))), 4, '0')
    else letter
  end;

-- The length of a text as Java and JavaScript count it: a character above U+FFFF counts as two.
create or replace macro mintmark.characters(value) as
  length(regexp_replace(value, '[\x{10000}-\x{10FFFF}]', '..', 'g'));

-- The number of characters of a text, in words.
create or replace macro mintmark.counted_characters(value) as
  mintmark.characters(value) || case when mintmark.characters(value) = 1 then ' character' else ' characters' end;

-- A text as a message shows it, truncated to 64 characters.
create or replace macro mintmark.quoted(value) as
  list_transform(
    [value],
    lambda whole: '"'
      || coalesce(
        array_to_string(
          list_transform(string_split(substring(whole, 1, 64), ''), lambda letter: mintmark.shown(letter)),
          ''),
        '')
      || '"'
      || case
        when mintmark.characters(whole) > 64 then '... (' || mintmark.characters(whole) || ' characters)'
        else ''
      end)[1];

-- The message for a malformed text.
create or replace macro mintmark.malformed(what, value, why) as
  'malformed ' || what || ' ' || mintmark.quoted(value) || ': ' || why;

-- The name of the character at an index, from 0. All characters before it must count as one in Java.
create or replace macro mintmark.character_at(value, index) as
  'character ' || index || ', ''' || mintmark.shown(substring(value, index + 1, 1)) || ''',';

-- The reason why the 26 characters from an index are not base 32 of 128 bits; digits is the number of valid digits at their start.
create or replace macro mintmark.why_not_base32(value, start, digits, expected) as
  case
    when digits < 26 then mintmark.character_at(value, start + digits) || ' is not ' || expected
    else mintmark.character_at(value, start) || ' is above 7: it exceeds 128 bits'
  end;

-- The reason why a text is not a ULID.
create or replace macro mintmark.why_not_ulid(value) as
  case
    when mintmark.characters(value) <> 26 then 'it has ' || mintmark.counted_characters(value) || ': expected 26'
    else mintmark.why_not_base32(
      value,
      0,
      length(regexp_extract(value, '^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]*')),
      'Crockford base 32')
  end;

create or replace macro mintmark.malformed_ulid(value) as
  error(list_transform([value], lambda text: mintmark.malformed('ULID', text, mintmark.why_not_ulid(text)))[1]);

-- The reason why a text is not a UUID. The first wrong character is the one after the longest valid start of a UUID.
create or replace macro mintmark.why_not_uuid(value) as
  case
    when mintmark.characters(value) <> 36 then 'it has ' || mintmark.counted_characters(value) || ': expected 36'
    else list_transform(
      [length(regexp_extract(
        value,
        '^(?:[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]*'
        '|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{0,4}'
        '|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{0,4}'
        '|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{0,4}'
        '|[0-9A-Fa-f]{0,8})'))],
      lambda right_ones: mintmark.character_at(value, right_ones)
        || ' is not '
        || case when right_ones in (8, 13, 18, 23) then '''-''' else 'a hexadecimal digit' end)[1]
  end;

create or replace macro mintmark.malformed_uuid(value) as
  error(list_transform([value], lambda text: mintmark.malformed('UUID', text, mintmark.why_not_uuid(text)))[1]);

-- Fails for a value that is neither a UUID nor a text.
create or replace macro mintmark.unlike_uuid(id) as
  case
    when typeof(id) = 'BLOB' then error('the id is a BLOB: convert it, id::uuid')
    when typeof(id) like '%INT%' then error('the id is a ' || typeof(id) || ': convert it, id::uhugeint::bit::blob::uuid')
    else mintmark.malformed_uuid(id::varchar)
  end;

-- ---- UUIDs of type uuid or text

-- Whether a text is the 36 characters of a UUID. The cast of DuckDB accepts other texts, too.
create or replace macro mintmark.is_uuid(value) as
  regexp_full_match(value, '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}');

-- A UUID, from a uuid or from 36 characters. DuckDB knows typeof before it reads the first row, so a column of type uuid needs no
-- further check.
create or replace macro mintmark.uuid_of(id) as
  case
    when typeof(id) = 'UUID' then id::uuid
    when mintmark.is_uuid(id::varchar) then id::varchar::uuid
    when id is not null then mintmark.unlike_uuid(id)
  end;

-- The same, but null if a text is not a UUID.
create or replace macro mintmark.try_uuid_of(id) as
  case
    when typeof(id) = 'UUID' then id::uuid
    when mintmark.is_uuid(id::varchar) then id::varchar::uuid
  end;

-- ---- ULIDs

-- The 26 characters of a ULID.
create or replace macro mintmark.ulid_text(id) as
  mintmark.base32_text(mintmark.uuid_of(id), 7);

create or replace macro mintmark.try_ulid_text(id) as
  mintmark.base32_text(mintmark.try_uuid_of(id), 7);

-- Whether a text is the 26 characters of a ULID, in either letter case.
create or replace macro mintmark.is_ulid(value) as
  regexp_full_match(value, '[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}');

-- The UUID of the 26 characters of a ULID, in either letter case.
create or replace macro mintmark.ulid_uuid(value) as
  case
    when mintmark.is_ulid(value) then mintmark.base32_uuid(value)
    when value is not null then mintmark.malformed_ulid(value)
  end;

create or replace macro mintmark.try_ulid_uuid(value) as
  case when mintmark.is_ulid(value) then mintmark.base32_uuid(value) end;

-- The time at which a ULID or a UUIDv7 was minted, to the millisecond: its first 48 bits.
create or replace macro mintmark.ulid_time(id) as
  make_timestamptz((mintmark.uuid_bits(mintmark.uuid_of(id)) >> 80)::bigint * 1000);

create or replace macro mintmark.try_ulid_time(id) as
  make_timestamptz((mintmark.uuid_bits(mintmark.try_uuid_of(id)) >> 80)::bigint * 1000);

-- A time in the format of Java.
create or replace macro mintmark.shown_time(moment) as
  case
    when isfinite(moment)
    then case when moment >= make_timestamptz(253402300800000000) then '+' else '' end
      || regexp_replace(strftime(make_timestamp(epoch_us(moment)), '%Y-%m-%dT%H:%M:%S.%f'), '(\.000000|000)$', '')
      || 'Z'
    else moment::varchar
  end;

-- The milliseconds of a time, rounded down. Fails outside 1970 to 10889: 48 bits hold no other time.
create or replace macro mintmark.time_millis(moment) as
  case
    when moment >= make_timestamptz(0) and moment < make_timestamptz(281474976710656000) then epoch_us(moment) // 1000
    when moment is not null then error(
      'time '
      || mintmark.shown_time(moment)
      || ': expected 1970-01-01T00:00:00.000Z to +10889-08-02T05:31:50.655Z')
  end;

-- A time with microseconds, rounded down. The cast of nanoseconds rounds to the nearest one.
create or replace macro mintmark.instant(moment) as
  moment::timestamptz
  - case
    when typeof(moment) = 'TIMESTAMP_NS' and epoch_ns(try_cast(moment as timestamp_ns)) % 1000 >= 500 then interval 1 microsecond
    else interval 0 microsecond
  end;

-- The smallest and the largest identifier of the millisecond of a time. In `where id >= mintmark.ulid_min('2026-01-01 00:00:00Z')` the
-- bound is a constant when the query begins, so DuckDB skips data outside of it.
create or replace macro mintmark.ulid_min(moment) as
  mintmark.bits_uuid(mintmark.time_millis(mintmark.instant(moment))::uhugeint * 1208925819614629174706176);

create or replace macro mintmark.ulid_max(moment) as
  mintmark.bits_uuid(
    mintmark.time_millis(mintmark.instant(moment))::uhugeint * 1208925819614629174706176 + 1208925819614629174706175);

-- ---- Numbers after a prefix

-- A number after a prefix, PM000123, with at least width digits, 0 to 18.
create or replace macro mintmark.prefixed(prefix, number, width) as
  case
    when prefix is null or number is null or width is null then null
    when not regexp_full_match(prefix, '([A-Za-z]([A-Za-z0-9_-]{0,14}[A-Za-z_-])?)?') then error(
      'malformed prefix '
      || mintmark.quoted(prefix)
      || ': expected at most 16 of A-Z, a-z, 0-9, ''-'' and ''_'', the first a letter and the last not a digit')
    when not regexp_full_match(width::varchar, '[0-9]+([.]0*)?') or width not between 0 and 18 then error('width ' || width || ': expected 0 to 18 digits')
    when not regexp_full_match(number::varchar, '[0-9]+([.]0*)?|[0-9.]+e[+][0-9]+') or try_cast(number as bigint) is null
    then error('number ' || number || ': expected 0 to 9223372036854775807')
    else prefix || lpad(number::bigint::varchar, greatest(width, length(number::bigint::varchar))::integer, '0')
  end;

-- The number after a prefix, of at most 19 digits, with or without leading zeros; null for any other text.
create or replace macro mintmark.try_unprefixed(prefix, value) as
  case
    when starts_with(value, prefix) and regexp_full_match(substring(value, length(prefix) + 1), '[0-9]{1,19}')
    then try_cast(substring(value, length(prefix) + 1) as bigint)
  end;

create or replace macro mintmark.unprefixed(prefix, value) as
  case
    when mintmark.try_unprefixed(prefix, value) is not null then mintmark.try_unprefixed(prefix, value)
    when prefix is not null and value is not null then error(mintmark.malformed(
      'sequence id',
      value,
      'expected ' || mintmark.quoted(prefix) || ' and 1 to 19 digits, at most 9223372036854775807'))
  end;

-- ---- TypeIDs

-- Whether a text can be the prefix of a TypeID.
create or replace macro mintmark.is_typeid_prefix(prefix) as
  regexp_full_match(prefix, '([a-z]([a-z_]{0,61}[a-z])?)?');

-- The TypeID of a prefix and a UUID, user_01h455vb4pex5vsknk084sn02q.
create or replace macro mintmark.typeid_text(prefix, id) as
  case
    when mintmark.is_typeid_prefix(prefix)
    then prefix || case when prefix = '' then '' else '_' end || mintmark.base32_text(mintmark.uuid_of(id), 39)
    when prefix is not null and id is not null then error(
      'malformed prefix '
      || mintmark.quoted(prefix)
      || ': expected at most 63 of a-z and ''_'', the first and the last a letter')
  end;

create or replace macro mintmark.try_typeid_text(prefix, id) as
  case
    when mintmark.is_typeid_prefix(prefix)
    then prefix || case when prefix = '' then '' else '_' end || mintmark.base32_text(mintmark.try_uuid_of(id), 39)
  end;

-- Whether a text is a TypeID with any prefix.
create or replace macro mintmark.is_typeid(value) as
  regexp_full_match(value, '([a-z]([a-z_]{0,61}[a-z])?_)?[0-7][0-9a-hjkmnp-tv-z]{25}');

-- The reason why a text is not a TypeID. Checks the prefix first. The prefix ends before the last underscore, which is not a digit;
-- prefix_length is -1 if there is no underscore.
create or replace macro mintmark.why_not_prefix_and_digits(value, prefix_length) as
  case
    when prefix_length = 0 then 'it starts with ''_'': without a prefix there is no separator'
    when mintmark.characters(substring(value, 1, prefix_length)) > 63
    then 'its prefix has ' || mintmark.characters(substring(value, 1, prefix_length)) || ' characters: expected at most 63'
    when length(regexp_extract(value, '^[a-z_]*')) < prefix_length
    then mintmark.character_at(value, length(regexp_extract(value, '^[a-z_]*'))) || ' is not a-z or ''_'', as in a prefix'
    when prefix_length > 0 and starts_with(value, '_') then 'its prefix starts with ''_'''
    when prefix_length > 0 and value[prefix_length] = '_' then 'its prefix ends with ''_'''
    when mintmark.characters(substring(value, prefix_length + 2)) <> 26
    then 'it has '
      || mintmark.counted_characters(substring(value, prefix_length + 2))
      || case when prefix_length < 0 then '' else ' after the prefix' end
      || ': expected 26'
    else mintmark.why_not_base32(
      value,
      prefix_length + 1,
      length(regexp_extract(substring(value, prefix_length + 2), '^[0-9a-hjkmnp-tv-z]*')),
      'Crockford base 32 in lower case')
  end;

create or replace macro mintmark.why_not_typeid(value) as
  list_transform(
    [length(regexp_extract(value, '(?s)^.*_')) - 1],
    lambda prefix_length: mintmark.why_not_prefix_and_digits(value, prefix_length))[1];

create or replace macro mintmark.malformed_typeid(value) as
  error(list_transform([value], lambda text: mintmark.malformed('TypeID', text, mintmark.why_not_typeid(text)))[1]);

-- The UUID of a TypeID with any prefix.
create or replace macro mintmark.typeid_uuid(value) as
  case
    when mintmark.is_typeid(value) then mintmark.base32_uuid(right(value, 26))
    when value is not null then mintmark.malformed_typeid(value)
  end;

create or replace macro mintmark.try_typeid_uuid(value) as
  case when mintmark.is_typeid(value) then mintmark.base32_uuid(right(value, 26)) end;

-- The prefix of a TypeID (user) or of a number (PM), empty if it has no prefix; null for any other text.
create or replace macro mintmark.try_id_prefix(value) as
  case
    when mintmark.is_typeid(value) then substring(value, 1, greatest(length(value) - 27, 0))
    when regexp_full_match(value, '([A-Za-z]([A-Za-z0-9_-]{0,14}[A-Za-z_-])?)?[0-9]{1,19}')
      and try_cast(regexp_extract(value, '[0-9]*$') as bigint) is not null
    then rtrim(value, '0123456789')
  end;

create or replace macro mintmark.id_prefix(value) as
  case
    when mintmark.try_id_prefix(value) is not null then mintmark.try_id_prefix(value)
    when value is not null
    then error(mintmark.malformed('id', value, 'expected a TypeID, or 1 to 19 digits after a prefix'))
  end;

-- ---- pURIs

-- The pURI of three segments, percent-encoded. url_encode leaves the unreserved characters of RFC 3986 unchanged.
create or replace macro mintmark.puri_text(namespace, collection, identifier) as
  url_encode(namespace) || ':' || url_encode(collection) || ':' || url_encode(identifier);

-- The pURI of three segments, which the macro percent-encodes; null if a segment is empty or the pURI is too long.
create or replace macro mintmark.try_puri(namespace, collection, identifier) as
  list_transform(
    [mintmark.puri_text(namespace, collection, identifier)],
    -- The text has only these two colons: colons in segments are encoded.
    lambda text: case
      when strlen(text) <= 1024 and not starts_with(text, ':') and not contains(text, '::') and not ends_with(text, ':')
      then text
    end)[1];

-- Fails with the reason why three segments are not a pURI: a segment is empty or too long on its own, or the pURI is too long.
create or replace macro mintmark.malformed_puri_of(namespace, collection, identifier) as
  error(
    list_transform(
      [{'namespace': namespace, 'collection': collection, 'identifier': identifier}],
      lambda segments: case
        when segments.namespace = '' then 'malformed pURI: its namespace is empty'
        when segments.collection = '' then 'malformed pURI: its collection is empty'
        when segments.identifier = '' then 'malformed pURI: its identifier is empty'
        else list_transform(
          [coalesce(
            case when mintmark.characters(segments.namespace) > 1024 then segments.namespace end,
            case when mintmark.characters(segments.collection) > 1024 then segments.collection end,
            case when mintmark.characters(segments.identifier) > 1024 then segments.identifier end,
            mintmark.puri_text(segments.namespace, segments.collection, segments.identifier))],
          lambda text: mintmark.malformed(
            'pURI',
            text,
            'it has ' || mintmark.characters(text) || ' characters: expected at most 1024'))[1]
      end)[1]);

create or replace macro mintmark.puri(namespace, collection, identifier) as
  case
    when mintmark.try_puri(namespace, collection, identifier) is not null
    then mintmark.puri_text(namespace, collection, identifier)
    when namespace is not null and collection is not null and identifier is not null
    then mintmark.malformed_puri_of(namespace, collection, identifier)
  end;

-- A pattern for one character of a segment of a pURI: one that RFC 3986 allows in a path, or escapes of one character in UTF-8. Surrogates, code
-- points above U+10FFFF and overlong encodings are not valid (RFC 3629 section 4).
create or replace macro mintmark.puri_pattern() as
  '(?:[A-Za-z0-9._~!$&''()*+,;=@-]'
  || '|%[0-7][0-9A-Fa-f]'
  || '|%(?:[Cc][2-9A-Fa-f]|[Dd][0-9A-Fa-f])%[89ABab][0-9A-Fa-f]'
  || '|%(?:[Ee]0%[ABab]|[Ee][1-9A-Ca-cE-Fe-f]%[89ABab]|[Ee][Dd]%[89])[0-9A-Fa-f]%[89ABab][0-9A-Fa-f]'
  || '|%(?:[Ff]0%[9ABab]|[Ff][1-3]%[89ABab]|[Ff]4%8)[0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){2})';

-- The length of a pURI with only the necessary escapes: characters that may be unescaped become three, escapes of unreserved ones one.
create or replace macro mintmark.written_length(value) as
  strlen(
    regexp_replace(
      regexp_replace(value, '[!$&''()*+,;=@]', '...', 'g'),
      '%(2[DEde]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee])',
      '.',
      'g'));

-- Whether a text is a pURI.
create or replace macro mintmark.is_puri(value) as
  strlen(value) <= 1024
  and regexp_full_match(
    value,
    mintmark.puri_pattern() || '+:' || mintmark.puri_pattern() || '+:' || mintmark.puri_pattern() || '+')
  and (strlen(value) <= 342 or mintmark.written_length(value) <= 1024);

-- The reason why a segment that starts at an index is malformed; null if it is valid.
create or replace macro mintmark.segment_fault(segment, start) as
  list_transform(
    [length(regexp_extract(segment, '^([A-Za-z0-9._~!$&''()*+,;=@-]|%[0-9A-Fa-f]{2})*'))],
    lambda right_ones: case
      when segment = '' then 'the segment at character ' || start || ' is empty'
      when right_ones < length(segment)
      then 'character '
        || (start + right_ones)
        || ', '''
        || mintmark.shown(substring(segment, right_ones + 1, 1))
        || ''','
        || case
          when substring(segment, right_ones + 1, 1) = '%' then ' does not start an escape such as %3A'
          else ' must be percent-encoded'
        end
      when not regexp_full_match(segment, mintmark.puri_pattern() || '*')
      then 'the escapes in the segment at character ' || start || ' are not UTF-8'
    end)[1];

-- The reason why a text is not a pURI.
create or replace macro mintmark.why_not_puri(value) as
  case
    when mintmark.characters(value) > 1024
    then 'it has ' || mintmark.characters(value) || ' characters: expected at most 1024'
    else list_transform(
      [string_split(value, ':')],
      lambda segments: case
        when length(segments) <> 3
        then 'it has ' || length(segments) || ' segments: expected namespace:collection:identifier'
        else coalesce(
          mintmark.segment_fault(segments[1], 0),
          mintmark.segment_fault(segments[2], length(segments[1]) + 1),
          mintmark.segment_fault(segments[3], length(segments[1]) + length(segments[2]) + 2),
          'it has ' || mintmark.written_length(value) || ' characters with the necessary escapes: expected at most 1024')
      end)[1]
  end;

create or replace macro mintmark.malformed_puri(value) as
  error(list_transform([value], lambda text: mintmark.malformed('pURI', text, mintmark.why_not_puri(text)))[1]);

-- A segment of a pURI, decoded: 1 is the namespace, 2 the collection and 3 the identifier.
create or replace macro mintmark.puri_segment(value, number) as
  case
    when mintmark.is_puri(value) then url_decode(split_part(value, ':', number))
    when value is not null then mintmark.malformed_puri(value)
  end;

create or replace macro mintmark.try_puri_segment(value, number) as
  case when mintmark.is_puri(value) then url_decode(split_part(value, ':', number)) end;

-- The first segment of a pURI, decoded.
create or replace macro mintmark.puri_namespace(value) as
  mintmark.puri_segment(value, 1);

create or replace macro mintmark.try_puri_namespace(value) as
  mintmark.try_puri_segment(value, 1);

-- The second segment of a pURI, decoded.
create or replace macro mintmark.puri_collection(value) as
  mintmark.puri_segment(value, 2);

create or replace macro mintmark.try_puri_collection(value) as
  mintmark.try_puri_segment(value, 2);

-- The third segment of a pURI, decoded.
create or replace macro mintmark.puri_identifier(value) as
  mintmark.puri_segment(value, 3);

create or replace macro mintmark.try_puri_identifier(value) as
  mintmark.try_puri_segment(value, 3);
