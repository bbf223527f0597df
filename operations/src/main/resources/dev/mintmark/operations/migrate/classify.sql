-- How the texts of a column are written: a row for each way that occurs, with how many there are and two examples.
-- `COLUMN` and `TABLE` stand for the quoted names. Reads the whole table. Parameters: none.
--   ULID     26 digits of Crockford's base 32 in capitals
--   ulid     the same in small letters
--   Ulid     the same in both
--   ulid?    one when spaces around it and hyphens go and I, L and O are taken for the digits they look like
--   uuid     a UUID as the server writes it
--   UUID     the same in capitals
--   Uuid     the same in both
--   hex      the 32 digits of a UUID without hyphens
--   HEX      the same in capitals
--   uuid?    another way to write one that the server reads
--   empty    no character
--   prefixed letters, digits and hyphens behind an underscore, as in TypeIDs and keys of Stripe
--   other    anything else
select
  written.way,
  count(*) as values,
  min(written.value) as least,
  max(written.value) as greatest
from (
  select
    t.value,
    case
      when t.value ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' then 'ULID'
      when t.value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then 'uuid'
      when t.value ~ '^[0-7][0-9a-hjkmnp-tv-z]{25}$' then 'ulid'
      when t.value ~* '^[0-7][0-9a-hjkmnp-tv-z]{25}$' then 'Ulid'
      when t.value ~ '^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$' then 'UUID'
      when t.value ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then 'Uuid'
      when t.value ~ '^[0-9a-f]{32}$' then 'hex'
      when t.value ~ '^[0-9A-F]{32}$' then 'HEX'
      when replace(btrim(t.value, ' {}'), '-', '') ~* '^[0-9a-f]{32}$' then 'uuid?'
      when translate(upper(replace(btrim(t.value), '-', '')), 'ILO', '110') ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' then 'ulid?'
      when t.value = '' then 'empty'
      when t.value ~ '^[A-Za-z][A-Za-z0-9_]*_[A-Za-z0-9-]{14,}$' then 'prefixed'
      else 'other'
    end as way
  from (
    select COLUMN::text collate "C" as value
    from TABLE
    where COLUMN is not null
  ) t
) written
group by written.way
order by written.way
