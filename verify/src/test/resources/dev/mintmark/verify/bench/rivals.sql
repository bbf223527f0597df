-- What others mint with in SQL, where there is no extension for it. Both need pgcrypto for gen_random_bytes.

create extension if not exists pgcrypto;

-- As published in "ULIDs and Primary Keys" by Dave Allie, https://blog.daveallie.com/ulid-primary-keys: a uuid of
-- milliseconds and 80 random bits.
create function generate_ulid() returns uuid as $$
  select (lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || encode(gen_random_bytes(10), 'hex'))::uuid;
$$ language sql;

-- A text in the manner of geckoboard/pgulid, https://github.com/geckoboard/pgulid, not its code: plpgsql that sets six bytes of
-- milliseconds one by one, takes ten random ones and appends 26 digits to a text.
create function generate_ulid_text() returns text as $$
declare
  digits bytea := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  millis bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
  bytes bytea := '\x000000000000';
  shown text := '';
begin
  for i in 0 .. 5 loop
    bytes := set_byte(bytes, i, ((millis >> (40 - 8 * i)) & 255)::integer);
  end loop;
  -- One more, for the last digit looks at two.
  bytes := bytes || gen_random_bytes(10) || '\x00';
  shown := shown || chr(get_byte(digits, get_byte(bytes, 0) >> 5));
  for bit in 3 .. 123 by 5 loop
    shown := shown || chr(get_byte(digits, (((get_byte(bytes, bit / 8) << 8) | get_byte(bytes, bit / 8 + 1)) >> (11 - bit % 8)) & 31));
  end loop;
  return shown;
end
$$ language plpgsql;
