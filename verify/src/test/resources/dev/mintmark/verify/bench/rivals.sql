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
  bytes := set_byte(bytes, 0, (millis >> 40)::bit(8)::integer);
  bytes := set_byte(bytes, 1, (millis >> 32)::bit(8)::integer);
  bytes := set_byte(bytes, 2, (millis >> 24)::bit(8)::integer);
  bytes := set_byte(bytes, 3, (millis >> 16)::bit(8)::integer);
  bytes := set_byte(bytes, 4, (millis >> 8)::bit(8)::integer);
  bytes := set_byte(bytes, 5, millis::bit(8)::integer);
  bytes := bytes || gen_random_bytes(10);
  shown := shown || chr(get_byte(digits, get_byte(bytes, 0) >> 5));
  shown := shown || chr(get_byte(digits, get_byte(bytes, 0) & 31));
  shown := shown || chr(get_byte(digits, (get_byte(bytes, 1) >> 3) & 31));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 1) & 7) << 2) | (get_byte(bytes, 2) >> 6)));
  shown := shown || chr(get_byte(digits, (get_byte(bytes, 2) >> 1) & 31));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 2) & 1) << 4) | (get_byte(bytes, 3) >> 4)));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 3) & 15) << 1) | (get_byte(bytes, 4) >> 7)));
  shown := shown || chr(get_byte(digits, (get_byte(bytes, 4) >> 2) & 31));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 4) & 3) << 3) | (get_byte(bytes, 5) >> 5)));
  shown := shown || chr(get_byte(digits, get_byte(bytes, 5) & 31));
  shown := shown || chr(get_byte(digits, (get_byte(bytes, 6) >> 3) & 31));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 6) & 7) << 2) | (get_byte(bytes, 7) >> 6)));
  shown := shown || chr(get_byte(digits, (get_byte(bytes, 7) >> 1) & 31));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 7) & 1) << 4) | (get_byte(bytes, 8) >> 4)));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 8) & 15) << 1) | (get_byte(bytes, 9) >> 7)));
  shown := shown || chr(get_byte(digits, (get_byte(bytes, 9) >> 2) & 31));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 9) & 3) << 3) | (get_byte(bytes, 10) >> 5)));
  shown := shown || chr(get_byte(digits, get_byte(bytes, 10) & 31));
  shown := shown || chr(get_byte(digits, (get_byte(bytes, 11) >> 3) & 31));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 11) & 7) << 2) | (get_byte(bytes, 12) >> 6)));
  shown := shown || chr(get_byte(digits, (get_byte(bytes, 12) >> 1) & 31));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 12) & 1) << 4) | (get_byte(bytes, 13) >> 4)));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 13) & 15) << 1) | (get_byte(bytes, 14) >> 7)));
  shown := shown || chr(get_byte(digits, (get_byte(bytes, 14) >> 2) & 31));
  shown := shown || chr(get_byte(digits, ((get_byte(bytes, 14) & 3) << 3) | (get_byte(bytes, 15) >> 5)));
  shown := shown || chr(get_byte(digits, get_byte(bytes, 15) & 31));
  return shown;
end
$$ language plpgsql;
