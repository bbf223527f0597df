-- Types of references to rows of any collection, and functions between a pURI and the columns of a reference. Made from a
-- catalog. Requires the SQL pack in the schema mintmark, version 6 or later. Run it again, in one transaction, whenever the
-- catalog has changed: psql -1. Codes that were given are never changed, given again or removed.
-- The search_path is pg_catalog while the script runs, and is restored at the end. Locks: reference_type in share row exclusive
-- mode until the transaction ends, so scripts run one after the other. Reading and writing references goes on.

do $path$
begin
  perform pg_catalog.set_config('mintmark_references.search_path', pg_catalog.current_setting('search_path'), true);
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$path$;

create table if not exists mintmark.reference_type (
  -- Above 0 the id is a uuid, below 0 a bigint, so that a check constraint can compare both without a look-up.
  code smallint primary key check (code <> 0),
  -- The codes of namespace and collection, which never change: b.m
  codes text not null unique check (codes ~ '^[a-z][a-z0-9]{0,7}[.][a-z][a-z0-9]{0,7}$'),
  -- As the catalog writes them; they change when a collection is renamed.
  namespace text not null,
  collection text not null,
  -- Every name by which it is read, in lower case, the present one among them: bobsburgers:meats
  names text[] not null,
  -- How an identifier is written: ulid, uuid, typeid, number, snowflake or tsid; with a prefix and a width.
  form text not null check (form in ('ulid', 'uuid', 'typeid', 'number', 'snowflake', 'tsid')),
  prefix text not null,
  width integer not null,
  check ((code > 0) = (form in ('ulid', 'uuid', 'typeid')))
);
create sequence if not exists mintmark.reference_uuid_code as smallint;
create sequence if not exists mintmark.reference_number_code as smallint increment -1 start -1 maxvalue -1 minvalue -32768;

-- The columns of a reference to the row that a pURI names: the code of its type and the id; for a type that has no code, the
-- pURI in its canonical form, as text. Fails with 22P02 if the text is not a pURI, or not an identifier of its collection.
create or replace function mintmark.reference_of(
    puri text, out type smallint, out uuid uuid, out number bigint, out text text)
  language plpgsql stable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  -- As variables, so that they are computed once.
  parts text[] := coalesce(mintmark.try_puri_parts(puri), mintmark.malformed_puri(puri));
  name text := lower(parts[1] || ':' || parts[2] collate "C");
  identifier text := parts[3];
  found mintmark.reference_type;
  digits text;
begin
  select * into found
  from mintmark.reference_type t
  where name = any (t.names);
  if found.code is null then
    text := mintmark.puri_canonical(puri);
    return;
  end if;
  type := found.code;
  if found.form = 'typeid' and strpos(identifier, '_') > 0 then
    if found.prefix <> '' and starts_with(lower(identifier collate "C"), found.prefix || '_') then
      uuid := mintmark.try_ulid_uuid(substr(identifier, length(found.prefix) + 2));
    end if;
  elsif found.code > 0 then
    uuid := case
      when identifier collate "C" ~ '^([0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$' then identifier::uuid
      else mintmark.try_ulid_uuid(identifier)
    end;
  elsif found.form = 'tsid' then
    -- The lower 64 of the 130 bits of 26 digits.
    if identifier collate "C" ~ '^[0-9A-Fa-f][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}$' then
      number := ('x' || right(replace(mintmark.ulid_uuid('0000000000000' || identifier)::text, '-', ''), 16))::bit(64)::bigint;
    end if;
  elsif found.form = 'snowflake' then
    -- Without a sign: those from 2^63 on are negative in the column.
    if identifier collate "C" ~ '^(0|[1-9][0-9]{0,19})$' and identifier::numeric < 18446744073709551616 then
      number := identifier::numeric - case when identifier::numeric < 9223372036854775808 then 0 else 18446744073709551616 end;
    end if;
  elsif starts_with(lower(identifier collate "C"), lower(found.prefix collate "C")) then
    digits := substr(identifier, length(found.prefix) + 1);
    if digits collate "C" ~ '^[0-9]+$' and digits::numeric < 9223372036854775808 then
      number := digits::bigint;
    end if;
  end if;
  if num_nonnulls(uuid, number) = 0 then
    raise exception using errcode = '22P02',
      message = 'pURI ' || mintmark.quoted(puri) || ': not an identifier of ' || mintmark.quoted(found.namespace || ':' || found.collection);
  end if;
end
$body$;

-- The pURI of the columns of a reference. Null if all columns are null. Fails with 22023 if the code is not in reference_type.
create or replace function mintmark.reference_puri(type smallint, uuid uuid, number bigint, text text) returns text
  language plpgsql stable parallel safe
  set search_path = pg_catalog, pg_temp
as $body$
declare
  found mintmark.reference_type;
begin
  if type is null then
    return text;
  end if;
  select * into found from mintmark.reference_type t where t.code = type;
  if found.code is null then
    raise exception using errcode = '22023', message = 'type ' || type::text || ' is not in mintmark.reference_type',
      hint = 'Run the script of the catalog that has the type.';
  end if;
  return mintmark.puri(
    found.namespace, found.collection,
    case found.form
      when 'ulid' then mintmark.ulid_text(uuid)
      when 'uuid' then uuid::text
      when 'typeid' then mintmark.typeid_text(found.prefix, uuid)
      when 'snowflake' then (number + case when number < 0 then 18446744073709551616 else 0::numeric end)::text
      when 'tsid' then right(mintmark.ulid_text(lpad(to_hex(number), 32, '0')::uuid), 13)
      else mintmark.prefixed(found.prefix, number, found.width)
    end);
end
$body$;

-- Whether the columns of a reference fit together: the code says which of them has the id. For check constraints.
create or replace function mintmark.reference_fits(type smallint, uuid uuid, number bigint, text text) returns boolean
  language sql immutable parallel safe
  return case
    when type > 0::smallint then uuid is not null and number is null and text is null
    when type < 0::smallint then uuid is null and number is not null and text is null
    when type is null then uuid is null and number is null
    else false
  end;

revoke insert, update, delete, truncate on mintmark.reference_type from public;
grant select on mintmark.reference_type to public;

do $types$
declare
  declared record;
  found mintmark.reference_type;
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog', true);
  lock table mintmark.reference_type in share row exclusive mode;
  for declared in
    select *
    from (values
      -- The types of the catalog, and a row that is none.
      ('', '', '', array[''], '', '', 0)
    ) as t (codes, namespace, collection, names, form, prefix, width)
    where t.codes <> ''
  loop
    -- A collection that the catalog no longer has does not keep a name that another one has now.
    update mintmark.reference_type t
    set names = array(select n from unnest(t.names) n where n <> all (declared.names))
    where t.codes <> declared.codes and t.names && declared.names;
    select * into found from mintmark.reference_type t where t.codes = declared.codes;
    if found.code is null then
      insert into mintmark.reference_type
      values (
        case
          when declared.form in ('ulid', 'uuid', 'typeid') then nextval('mintmark.reference_uuid_code'::regclass)
          else nextval('mintmark.reference_number_code'::regclass)
        end,
        declared.codes, declared.namespace, declared.collection, declared.names, declared.form, declared.prefix, declared.width);
    elsif (found.code > 0) <> (declared.form in ('ulid', 'uuid', 'typeid')) then
      raise exception using errcode = '55000',
        message = 'the code ' || declared.codes || ' is of ' || case when found.code > 0 then 'uuid' else 'bigint' end
          || ', and the catalog stores ' || declared.collection || ' otherwise',
        hint = 'Give the collection another code: references that exist keep the old one.';
    elsif lower(found.namespace || ':' || found.collection) <> all (declared.names) then
      raise exception using errcode = '55000',
        message = 'the code ' || declared.codes || ' was given to ' || found.namespace || ':' || found.collection
          || ', which is neither the name nor an alias of ' || declared.namespace || ':' || declared.collection,
        hint = 'A code is never given again: choose another one, or declare the former name as an alias.';
    else
      update mintmark.reference_type t
      set namespace = declared.namespace, collection = declared.collection, names = declared.names, form = declared.form,
        prefix = declared.prefix, width = declared.width
      where t.code = found.code
        and (t.namespace, t.collection, t.names, t.form, t.prefix, t.width)
          is distinct from
          (declared.namespace, declared.collection, declared.names, declared.form, declared.prefix, declared.width);
    end if;
  end loop;
end
$types$;

do $path$
begin
  perform pg_catalog.set_config('search_path', pg_catalog.current_setting('mintmark_references.search_path'), true);
end
$path$;
