-- Identifiers for analysts: functions, and a view of every collection with a table.
-- Written by: mintmark udf snowflake --schema 'mintmark' --tables 'public'
-- The views are those of the namespace bobsburgers.
-- It can be run again at any time: what is there is replaced.
--
--   snow sql -f this-file.sql
--
-- It goes into the present database. A UUID is a VARCHAR of 36 characters, a time a
-- TIMESTAMP_LTZ. Timestamps end with the year 9999: ulid_time refuses later ones.

create schema if not exists "MINTMARK";

create or replace function "MINTMARK".ulid_text(id varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The 26 characters of a ULID.'
as $$
<body of ulid_text>
$$;

create or replace function "MINTMARK".try_ulid_text(id varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The 26 characters of a ULID. Null where that cannot be read.'
as $$
<body of try_ulid_text>
$$;

create or replace function "MINTMARK".ulid_uuid(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The UUID of the 26 characters of a ULID, in either letter case.'
as $$
<body of ulid_uuid>
$$;

create or replace function "MINTMARK".try_ulid_uuid(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The UUID of the 26 characters of a ULID, in either letter case. Null where that cannot be read.'
as $$
<body of try_ulid_uuid>
$$;

create or replace function "MINTMARK".js_ulid_time(id varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'What ulid_time does, of texts.'
as $$
<body of js_ulid_time>
$$;

create or replace function "MINTMARK".ulid_time(id varchar)
copy grants
returns timestamp_ltz
immutable
comment = 'When a ULID or a UUIDv7 was minted, to the millisecond: its first 48 bits.'
as $$
to_timestamp_ltz(cast("MINTMARK".js_ulid_time(id) as number(38, 0)), 3)
$$;

create or replace function "MINTMARK".js_try_ulid_time(id varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'What try_ulid_time does, of texts.'
as $$
<body of js_try_ulid_time>
$$;

create or replace function "MINTMARK".try_ulid_time(id varchar)
copy grants
returns timestamp_ltz
immutable
comment = 'When a ULID or a UUIDv7 was minted, to the millisecond: its first 48 bits. Null where that cannot be read.'
as $$
to_timestamp_ltz(cast("MINTMARK".js_try_ulid_time(id) as number(38, 0)), 3)
$$;

create or replace function "MINTMARK".js_ulid_min(moment varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'What ulid_min does, of texts.'
as $$
<body of js_ulid_min>
$$;

create or replace function "MINTMARK".ulid_min(moment timestamp_ltz)
copy grants
returns varchar
immutable
comment = 'The least identifier of the millisecond that a time is in.'
as $$
"MINTMARK".js_ulid_min(cast(date_part(epoch_millisecond, date_trunc('millisecond', moment)) as varchar))
$$;

create or replace function "MINTMARK".js_ulid_max(moment varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'What ulid_max does, of texts.'
as $$
<body of js_ulid_max>
$$;

create or replace function "MINTMARK".ulid_max(moment timestamp_ltz)
copy grants
returns varchar
immutable
comment = 'The greatest identifier of the millisecond that a time is in.'
as $$
"MINTMARK".js_ulid_max(cast(date_part(epoch_millisecond, date_trunc('millisecond', moment)) as varchar))
$$;

create or replace function "MINTMARK".js_prefixed(prefix varchar, number varchar, width varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'What prefixed does, of texts.'
as $$
<body of js_prefixed>
$$;

create or replace function "MINTMARK".prefixed(prefix varchar, number number(38, 0), width number(38, 0))
copy grants
returns varchar
immutable
comment = 'A number behind a prefix, PM000123: of at least so many digits, 0 to 18.'
as $$
"MINTMARK".js_prefixed(prefix, cast(number as varchar), cast(width as varchar))
$$;

create or replace function "MINTMARK".js_unprefixed(prefix varchar, value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'What unprefixed does, of texts.'
as $$
<body of js_unprefixed>
$$;

create or replace function "MINTMARK".unprefixed(prefix varchar, value varchar)
copy grants
returns number(38, 0)
immutable
comment = 'The number behind a prefix, with leading zeros or without, at most 19 digits.'
as $$
cast("MINTMARK".js_unprefixed(prefix, value) as number(38, 0))
$$;

create or replace function "MINTMARK".js_try_unprefixed(prefix varchar, value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'What try_unprefixed does, of texts.'
as $$
<body of js_try_unprefixed>
$$;

create or replace function "MINTMARK".try_unprefixed(prefix varchar, value varchar)
copy grants
returns number(38, 0)
immutable
comment = 'The number behind a prefix, with leading zeros or without, at most 19 digits. Null where that cannot be read.'
as $$
cast("MINTMARK".js_try_unprefixed(prefix, value) as number(38, 0))
$$;

create or replace function "MINTMARK".typeid_text(prefix varchar, id varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'A UUID behind the name of its type, user_01h455vb4pex5vsknk084sn02q.'
as $$
<body of typeid_text>
$$;

create or replace function "MINTMARK".try_typeid_text(prefix varchar, id varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'A UUID behind the name of its type, user_01h455vb4pex5vsknk084sn02q. Null where that cannot be read.'
as $$
<body of try_typeid_text>
$$;

create or replace function "MINTMARK".typeid_uuid(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The UUID of a TypeID of any type.'
as $$
<body of typeid_uuid>
$$;

create or replace function "MINTMARK".try_typeid_uuid(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The UUID of a TypeID of any type. Null where that cannot be read.'
as $$
<body of try_typeid_uuid>
$$;

create or replace function "MINTMARK".id_prefix(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The prefix of a TypeID (user) or of a number (PM), empty if it has none. What could be both, 26 decimal digits, has none either way.'
as $$
<body of id_prefix>
$$;

create or replace function "MINTMARK".try_id_prefix(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The prefix of a TypeID (user) or of a number (PM), empty if it has none. What could be both, 26 decimal digits, has none either way. Null where that cannot be read.'
as $$
<body of try_id_prefix>
$$;

create or replace function "MINTMARK".puri(namespace varchar, collection varchar, identifier varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'A pURI of three segments that are not percent-encoded yet.'
as $$
<body of puri>
$$;

create or replace function "MINTMARK".try_puri(namespace varchar, collection varchar, identifier varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'A pURI of three segments that are not percent-encoded yet. Null where that cannot be read.'
as $$
<body of try_puri>
$$;

create or replace function "MINTMARK".puri_namespace(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The first segment of a pURI, decoded.'
as $$
<body of puri_namespace>
$$;

create or replace function "MINTMARK".try_puri_namespace(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The first segment of a pURI, decoded. Null where that cannot be read.'
as $$
<body of try_puri_namespace>
$$;

create or replace function "MINTMARK".puri_collection(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The second segment of a pURI, decoded.'
as $$
<body of puri_collection>
$$;

create or replace function "MINTMARK".try_puri_collection(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The second segment of a pURI, decoded. Null where that cannot be read.'
as $$
<body of try_puri_collection>
$$;

create or replace function "MINTMARK".puri_identifier(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The third segment of a pURI, decoded.'
as $$
<body of puri_identifier>
$$;

create or replace function "MINTMARK".try_puri_identifier(value varchar)
copy grants
returns varchar
language javascript
strict
immutable
comment = 'The third segment of a pURI, decoded. Null where that cannot be read.'
as $$
<body of try_puri_identifier>
$$;

-- ulid: ulid, kept as uuid
create or replace view "MINTMARK"."ULID" copy grants as
select
  t.*,
  "MINTMARK".try_ulid_text(t."ID") as "ID_TEXT",
  "MINTMARK".try_ulid_time(t."ID") as "ID_TIME",
  "MINTMARK".try_puri('bobsburgers', 'ulid', "MINTMARK".try_ulid_text(t."ID")) as "ID_PURI"
from "PUBLIC"."ULID" as t;

-- ulid-kept-as-text: ulid, kept as text
create or replace view "MINTMARK"."ULID_KEPT_AS_TEXT" copy grants as
select
  t.*,
  "MINTMARK".try_ulid_uuid(t."ULID_ID") as "ULID_ID_UUID",
  "MINTMARK".try_ulid_time("MINTMARK".try_ulid_uuid(t."ULID_ID")) as "ULID_ID_TIME",
  "MINTMARK".try_puri('bobsburgers', 'ulid-kept-as-text', "MINTMARK".try_ulid_text("MINTMARK".try_ulid_uuid(t."ULID_ID"))) as "ULID_ID_PURI"
from "LEGACY"."ULIDS" as t;

-- uuidv7: uuidv7, kept as uuid
create or replace view "MINTMARK"."UUIDV7" copy grants as
select
  t.*,
  "MINTMARK".try_ulid_text(t."ID") as "ID_TEXT",
  "MINTMARK".try_ulid_time(t."ID") as "ID_TIME",
  "MINTMARK".try_puri('bobsburgers', 'uuidv7', lower(cast(t."ID" as varchar))) as "ID_PURI"
from "PUBLIC"."UUIDV7" as t;

-- uuidv7-kept-as-text: uuidv7, kept as text
create or replace view "MINTMARK"."UUIDV7_KEPT_AS_TEXT" copy grants as
select
  t.*,
  "MINTMARK".try_ulid_time(t."UUIDV7_ID") as "UUIDV7_ID_TIME",
  "MINTMARK".try_puri('bobsburgers', 'uuidv7-kept-as-text', cast("MINTMARK".try_ulid_uuid("MINTMARK".try_ulid_text(t."UUIDV7_ID")) as varchar)) as "UUIDV7_ID_PURI"
from "LEGACY"."UUIDV7S" as t;

-- uuidv4: uuidv4, kept as uuid
create or replace view "MINTMARK"."UUIDV4" copy grants as
select
  t.*,
  "MINTMARK".try_puri('bobsburgers', 'uuidv4', lower(cast(t."ID" as varchar))) as "ID_PURI"
from "PUBLIC"."UUIDV4" as t;

-- uuidv4-kept-as-text: uuidv4, kept as text
create or replace view "MINTMARK"."UUIDV4_KEPT_AS_TEXT" copy grants as
select
  t.*,
  "MINTMARK".try_puri('bobsburgers', 'uuidv4-kept-as-text', cast("MINTMARK".try_ulid_uuid("MINTMARK".try_ulid_text(t."UUIDV4_ID")) as varchar)) as "UUIDV4_ID_PURI"
from "LEGACY"."UUIDV4S" as t;

-- sequence: sequence, kept as bigint
create or replace view "MINTMARK"."SEQUENCE" copy grants as
select
  t.*,
  case when t."ID" >= 0 then "MINTMARK".prefixed('PM', t."ID", 6) end as "ID_TEXT",
  "MINTMARK".try_puri('bobsburgers', 'sequence', case when t."ID" >= 0 then "MINTMARK".prefixed('PM', t."ID", 6) end) as "ID_PURI"
from "PUBLIC"."SEQUENCE" as t;

-- sequence-kept-as-text: sequence, kept as text
create or replace view "MINTMARK"."SEQUENCE_KEPT_AS_TEXT" copy grants as
select
  t.*,
  "MINTMARK".try_puri('bobsburgers', 'sequence-kept-as-text', "MINTMARK".prefixed('PM', "MINTMARK".try_unprefixed('PM', t."SEQUENCE_ID"), 6)) as "SEQUENCE_ID_PURI"
from "LEGACY"."SEQUENCES" as t;

-- nanoid: nanoid, kept as text
create or replace view "MINTMARK"."NANOID" copy grants as
select
  t.*,
  "MINTMARK".try_puri('bobsburgers', 'nanoid', t."ID") as "ID_PURI"
from "PUBLIC"."NANOID" as t;

-- snowflake: snowflake, kept as bigint
create or replace view "MINTMARK"."SNOWFLAKE" copy grants as
select
  t.*,
  "MINTMARK".try_puri('bobsburgers', 'snowflake', case when t."ID" >= 0 then cast(t."ID" as varchar) end) as "ID_PURI"
from "PUBLIC"."SNOWFLAKE" as t;

-- snowflake-kept-as-text: snowflake, kept as text
create or replace view "MINTMARK"."SNOWFLAKE_KEPT_AS_TEXT" copy grants as
select
  t.*,
  "MINTMARK".try_puri('bobsburgers', 'snowflake-kept-as-text', t."SNOWFLAKE_ID") as "SNOWFLAKE_ID_PURI"
from "LEGACY"."SNOWFLAKES" as t;

-- typeid: typeid, kept as uuid
create or replace view "MINTMARK"."TYPEID" copy grants as
select
  t.*,
  "MINTMARK".try_typeid_text('user', t."ID") as "ID_TEXT",
  "MINTMARK".try_ulid_time(t."ID") as "ID_TIME",
  "MINTMARK".try_puri('bobsburgers', 'typeid', "MINTMARK".try_typeid_text('user', t."ID")) as "ID_PURI"
from "PUBLIC"."TYPEID" as t;

-- typeid-kept-as-text: typeid, kept as text
create or replace view "MINTMARK"."TYPEID_KEPT_AS_TEXT" copy grants as
select
  t.*,
  "MINTMARK".try_typeid_uuid(t."TYPEID_ID") as "TYPEID_ID_UUID",
  "MINTMARK".try_ulid_time("MINTMARK".try_typeid_uuid(t."TYPEID_ID")) as "TYPEID_ID_TIME",
  "MINTMARK".try_puri('bobsburgers', 'typeid-kept-as-text', case when "MINTMARK".try_typeid_text('user', "MINTMARK".try_typeid_uuid(t."TYPEID_ID")) = t."TYPEID_ID" then t."TYPEID_ID" end) as "TYPEID_ID_PURI"
from "LEGACY"."TYPEIDS" as t;

-- text: text, kept as text
create or replace view "MINTMARK"."TEXT" copy grants as
select
  t.*,
  "MINTMARK".try_puri('bobsburgers', 'text', translate(t."ID", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as "ID_PURI"
from "PUBLIC"."TEXT" as t;

-- narrow-numbers: sequence, kept as bigint
create or replace view "MINTMARK"."NARROW_NUMBERS" copy grants as
select
  t.*,
  "MINTMARK".try_puri('bobsburgers', 'narrow-numbers', case when t."ID" >= 0 then cast(t."ID" as varchar) end) as "ID_PURI"
from "PUBLIC"."PLAIN" as t;

-- orders: uuidv7, kept as uuid
create or replace view "MINTMARK"."ORDERS" copy grants as
select
  t.*,
  "MINTMARK".try_ulid_text(t."Order Id") as "Order Id_text",
  "MINTMARK".try_ulid_time(t."Order Id") as "Order Id_time",
  "MINTMARK".try_puri('bobsburgers', 'orders', lower(cast(t."Order Id" as varchar))) as "Order Id_puri"
from "Shop"."ORDER" as t;

-- typeid-bare: typeid, kept as uuid
create or replace view "MINTMARK"."TYPEID_BARE" copy grants as
select
  t.*,
  "MINTMARK".try_typeid_text('', t."ID") as "ID_TEXT",
  "MINTMARK".try_ulid_time(t."ID") as "ID_TIME",
  "MINTMARK".try_puri('bobsburgers', 'typeid-bare', "MINTMARK".try_typeid_text('', t."ID")) as "ID_PURI"
from "PUBLIC"."BARE" as t;
