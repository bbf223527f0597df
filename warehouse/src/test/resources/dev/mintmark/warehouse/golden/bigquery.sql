-- Identifiers for analysts: functions, and a view of every collection with a table.
-- Written by: mintmark udf bigquery --schema 'mintmark' --tables 'public'
-- The views are those of the namespace bobsburgers.
-- It can be run again at any time: what is there is replaced.
--
--   bq query --use_legacy_sql=false < this-file.sql
--
-- A new dataset is made where bq says, which is the US unless --location=EU or another says
-- otherwise. A UUID is a STRING of 36 characters. Timestamps end with the year 9999: ulid_time
-- refuses later ones.

create schema if not exists `mintmark`;

create or replace function `mintmark`.ulid_text(id string)
returns string
deterministic
language js
options (description = "The 26 characters of a ULID.")
as r"""
<body of ulid_text>
""";

create or replace function `mintmark`.try_ulid_text(id string)
returns string
deterministic
language js
options (description = "The 26 characters of a ULID. Null where that cannot be read.")
as r"""
<body of try_ulid_text>
""";

create or replace function `mintmark`.ulid_uuid(value string)
returns string
deterministic
language js
options (description = "The UUID of the 26 characters of a ULID, in either letter case.")
as r"""
<body of ulid_uuid>
""";

create or replace function `mintmark`.try_ulid_uuid(value string)
returns string
deterministic
language js
options (description = "The UUID of the 26 characters of a ULID, in either letter case. Null where that cannot be read.")
as r"""
<body of try_ulid_uuid>
""";

create or replace function `mintmark`.js_ulid_time(id string)
returns string
deterministic
language js
options (description = "What ulid_time does, of texts.")
as r"""
<body of js_ulid_time>
""";

create or replace function `mintmark`.ulid_time(id string)
returns timestamp
as (timestamp_millis(cast(`mintmark`.js_ulid_time(id) as int64)))
options (description = "When a ULID or a UUIDv7 was minted, to the millisecond: its first 48 bits.");

create or replace function `mintmark`.js_try_ulid_time(id string)
returns string
deterministic
language js
options (description = "What try_ulid_time does, of texts.")
as r"""
<body of js_try_ulid_time>
""";

create or replace function `mintmark`.try_ulid_time(id string)
returns timestamp
as (timestamp_millis(cast(`mintmark`.js_try_ulid_time(id) as int64)))
options (description = "When a ULID or a UUIDv7 was minted, to the millisecond: its first 48 bits. Null where that cannot be read.");

create or replace function `mintmark`.js_ulid_min(moment string)
returns string
deterministic
language js
options (description = "What ulid_min does, of texts.")
as r"""
<body of js_ulid_min>
""";

create or replace function `mintmark`.ulid_min(moment timestamp)
returns string
as (`mintmark`.js_ulid_min(cast(unix_millis(moment) as string)))
options (description = "The least identifier of the millisecond that a time is in.");

create or replace function `mintmark`.js_ulid_max(moment string)
returns string
deterministic
language js
options (description = "What ulid_max does, of texts.")
as r"""
<body of js_ulid_max>
""";

create or replace function `mintmark`.ulid_max(moment timestamp)
returns string
as (`mintmark`.js_ulid_max(cast(unix_millis(moment) as string)))
options (description = "The greatest identifier of the millisecond that a time is in.");

create or replace function `mintmark`.js_prefixed(prefix string, number string, width string)
returns string
deterministic
language js
options (description = "What prefixed does, of texts.")
as r"""
<body of js_prefixed>
""";

create or replace function `mintmark`.prefixed(prefix string, number int64, width int64)
returns string
as (`mintmark`.js_prefixed(prefix, cast(number as string), cast(width as string)))
options (description = "A number behind a prefix, PM000123: of at least so many digits, 0 to 18.");

create or replace function `mintmark`.js_unprefixed(prefix string, value string)
returns string
deterministic
language js
options (description = "What unprefixed does, of texts.")
as r"""
<body of js_unprefixed>
""";

create or replace function `mintmark`.unprefixed(prefix string, value string)
returns int64
as (cast(`mintmark`.js_unprefixed(prefix, value) as int64))
options (description = "The number behind a prefix, with leading zeros or without, at most 19 digits.");

create or replace function `mintmark`.js_try_unprefixed(prefix string, value string)
returns string
deterministic
language js
options (description = "What try_unprefixed does, of texts.")
as r"""
<body of js_try_unprefixed>
""";

create or replace function `mintmark`.try_unprefixed(prefix string, value string)
returns int64
as (cast(`mintmark`.js_try_unprefixed(prefix, value) as int64))
options (description = "The number behind a prefix, with leading zeros or without, at most 19 digits. Null where that cannot be read.");

create or replace function `mintmark`.typeid_text(prefix string, id string)
returns string
deterministic
language js
options (description = "A UUID behind the name of its type, user_01h455vb4pex5vsknk084sn02q.")
as r"""
<body of typeid_text>
""";

create or replace function `mintmark`.try_typeid_text(prefix string, id string)
returns string
deterministic
language js
options (description = "A UUID behind the name of its type, user_01h455vb4pex5vsknk084sn02q. Null where that cannot be read.")
as r"""
<body of try_typeid_text>
""";

create or replace function `mintmark`.typeid_uuid(value string)
returns string
deterministic
language js
options (description = "The UUID of a TypeID of any type.")
as r"""
<body of typeid_uuid>
""";

create or replace function `mintmark`.try_typeid_uuid(value string)
returns string
deterministic
language js
options (description = "The UUID of a TypeID of any type. Null where that cannot be read.")
as r"""
<body of try_typeid_uuid>
""";

create or replace function `mintmark`.id_prefix(value string)
returns string
deterministic
language js
options (description = "The prefix of a TypeID (user) or of a number (PM), empty if it has none. What could be both, 26 decimal digits, has none either way.")
as r"""
<body of id_prefix>
""";

create or replace function `mintmark`.try_id_prefix(value string)
returns string
deterministic
language js
options (description = "The prefix of a TypeID (user) or of a number (PM), empty if it has none. What could be both, 26 decimal digits, has none either way. Null where that cannot be read.")
as r"""
<body of try_id_prefix>
""";

create or replace function `mintmark`.puri(namespace string, collection string, identifier string)
returns string
deterministic
language js
options (description = "A pURI of three segments that are not percent-encoded yet.")
as r"""
<body of puri>
""";

create or replace function `mintmark`.try_puri(namespace string, collection string, identifier string)
returns string
deterministic
language js
options (description = "A pURI of three segments that are not percent-encoded yet. Null where that cannot be read.")
as r"""
<body of try_puri>
""";

create or replace function `mintmark`.puri_namespace(value string)
returns string
deterministic
language js
options (description = "The first segment of a pURI, decoded.")
as r"""
<body of puri_namespace>
""";

create or replace function `mintmark`.try_puri_namespace(value string)
returns string
deterministic
language js
options (description = "The first segment of a pURI, decoded. Null where that cannot be read.")
as r"""
<body of try_puri_namespace>
""";

create or replace function `mintmark`.puri_collection(value string)
returns string
deterministic
language js
options (description = "The second segment of a pURI, decoded.")
as r"""
<body of puri_collection>
""";

create or replace function `mintmark`.try_puri_collection(value string)
returns string
deterministic
language js
options (description = "The second segment of a pURI, decoded. Null where that cannot be read.")
as r"""
<body of try_puri_collection>
""";

create or replace function `mintmark`.puri_identifier(value string)
returns string
deterministic
language js
options (description = "The third segment of a pURI, decoded.")
as r"""
<body of puri_identifier>
""";

create or replace function `mintmark`.try_puri_identifier(value string)
returns string
deterministic
language js
options (description = "The third segment of a pURI, decoded. Null where that cannot be read.")
as r"""
<body of try_puri_identifier>
""";

-- ulid: ulid, kept as uuid
create or replace view `mintmark`.`ulid` as
select
  t.*,
  `mintmark`.try_ulid_text(t.`id`) as `id_text`,
  `mintmark`.try_ulid_time(t.`id`) as `id_time`,
  `mintmark`.try_puri('bobsburgers', 'ulid', `mintmark`.try_ulid_text(t.`id`)) as `id_puri`
from `public`.`ulid` as t;

-- ulid-kept-as-text: ulid, kept as text
create or replace view `mintmark`.`ulid_kept_as_text` as
select
  t.*,
  `mintmark`.try_ulid_uuid(t.`ulid_id`) as `ulid_id_uuid`,
  `mintmark`.try_ulid_time(`mintmark`.try_ulid_uuid(t.`ulid_id`)) as `ulid_id_time`,
  `mintmark`.try_puri('bobsburgers', 'ulid-kept-as-text', `mintmark`.try_ulid_text(`mintmark`.try_ulid_uuid(t.`ulid_id`))) as `ulid_id_puri`
from `legacy`.`ulids` as t;

-- uuidv7: uuidv7, kept as uuid
create or replace view `mintmark`.`uuidv7` as
select
  t.*,
  `mintmark`.try_ulid_text(t.`id`) as `id_text`,
  `mintmark`.try_ulid_time(t.`id`) as `id_time`,
  `mintmark`.try_puri('bobsburgers', 'uuidv7', lower(cast(t.`id` as string))) as `id_puri`
from `public`.`uuidv7` as t;

-- uuidv7-kept-as-text: uuidv7, kept as text
create or replace view `mintmark`.`uuidv7_kept_as_text` as
select
  t.*,
  `mintmark`.try_ulid_time(t.`uuidv7_id`) as `uuidv7_id_time`,
  `mintmark`.try_puri('bobsburgers', 'uuidv7-kept-as-text', cast(`mintmark`.try_ulid_uuid(`mintmark`.try_ulid_text(t.`uuidv7_id`)) as string)) as `uuidv7_id_puri`
from `legacy`.`uuidv7s` as t;

-- uuidv4: uuidv4, kept as uuid
create or replace view `mintmark`.`uuidv4` as
select
  t.*,
  `mintmark`.try_puri('bobsburgers', 'uuidv4', lower(cast(t.`id` as string))) as `id_puri`
from `public`.`uuidv4` as t;

-- uuidv4-kept-as-text: uuidv4, kept as text
create or replace view `mintmark`.`uuidv4_kept_as_text` as
select
  t.*,
  `mintmark`.try_puri('bobsburgers', 'uuidv4-kept-as-text', cast(`mintmark`.try_ulid_uuid(`mintmark`.try_ulid_text(t.`uuidv4_id`)) as string)) as `uuidv4_id_puri`
from `legacy`.`uuidv4s` as t;

-- sequence: sequence, kept as bigint
create or replace view `mintmark`.`sequence` as
select
  t.*,
  case when t.`id` >= 0 then `mintmark`.prefixed('PM', t.`id`, 6) end as `id_text`,
  `mintmark`.try_puri('bobsburgers', 'sequence', case when t.`id` >= 0 then `mintmark`.prefixed('PM', t.`id`, 6) end) as `id_puri`
from `public`.`sequence` as t;

-- sequence-kept-as-text: sequence, kept as text
create or replace view `mintmark`.`sequence_kept_as_text` as
select
  t.*,
  `mintmark`.try_puri('bobsburgers', 'sequence-kept-as-text', `mintmark`.prefixed('PM', `mintmark`.try_unprefixed('PM', t.`sequence_id`), 6)) as `sequence_id_puri`
from `legacy`.`sequences` as t;

-- nanoid: nanoid, kept as text
create or replace view `mintmark`.`nanoid` as
select
  t.*,
  `mintmark`.try_puri('bobsburgers', 'nanoid', t.`id`) as `id_puri`
from `public`.`nanoid` as t;

-- snowflake: snowflake, kept as bigint
create or replace view `mintmark`.`snowflake` as
select
  t.*,
  `mintmark`.try_puri('bobsburgers', 'snowflake', case when t.`id` >= 0 then cast(t.`id` as string) end) as `id_puri`
from `public`.`snowflake` as t;

-- snowflake-kept-as-text: snowflake, kept as text
create or replace view `mintmark`.`snowflake_kept_as_text` as
select
  t.*,
  `mintmark`.try_puri('bobsburgers', 'snowflake-kept-as-text', t.`snowflake_id`) as `snowflake_id_puri`
from `legacy`.`snowflakes` as t;

-- typeid: typeid, kept as uuid
create or replace view `mintmark`.`typeid` as
select
  t.*,
  `mintmark`.try_typeid_text('user', t.`id`) as `id_text`,
  `mintmark`.try_ulid_time(t.`id`) as `id_time`,
  `mintmark`.try_puri('bobsburgers', 'typeid', `mintmark`.try_typeid_text('user', t.`id`)) as `id_puri`
from `public`.`typeid` as t;

-- typeid-kept-as-text: typeid, kept as text
create or replace view `mintmark`.`typeid_kept_as_text` as
select
  t.*,
  `mintmark`.try_typeid_uuid(t.`typeid_id`) as `typeid_id_uuid`,
  `mintmark`.try_ulid_time(`mintmark`.try_typeid_uuid(t.`typeid_id`)) as `typeid_id_time`,
  `mintmark`.try_puri('bobsburgers', 'typeid-kept-as-text', case when `mintmark`.try_typeid_text('user', `mintmark`.try_typeid_uuid(t.`typeid_id`)) = t.`typeid_id` then t.`typeid_id` end) as `typeid_id_puri`
from `legacy`.`typeids` as t;

-- text: text, kept as text
create or replace view `mintmark`.`text` as
select
  t.*,
  `mintmark`.try_puri('bobsburgers', 'text', translate(t.`id`, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as `id_puri`
from `public`.`text` as t;

-- narrow-numbers: sequence, kept as bigint
create or replace view `mintmark`.`narrow_numbers` as
select
  t.*,
  `mintmark`.try_puri('bobsburgers', 'narrow-numbers', case when t.`id` >= 0 then cast(t.`id` as string) end) as `id_puri`
from `public`.`plain` as t;

-- orders: uuidv7, kept as uuid
create or replace view `mintmark`.`orders` as
select
  t.*,
  `mintmark`.try_ulid_text(t.`Order Id`) as `Order Id_text`,
  `mintmark`.try_ulid_time(t.`Order Id`) as `Order Id_time`,
  `mintmark`.try_puri('bobsburgers', 'orders', lower(cast(t.`Order Id` as string))) as `Order Id_puri`
from `Shop`.`order` as t;

-- typeid-bare: typeid, kept as uuid
create or replace view `mintmark`.`typeid_bare` as
select
  t.*,
  `mintmark`.try_typeid_text('', t.`id`) as `id_text`,
  `mintmark`.try_ulid_time(t.`id`) as `id_time`,
  `mintmark`.try_puri('bobsburgers', 'typeid-bare', `mintmark`.try_typeid_text('', t.`id`)) as `id_puri`
from `public`.`bare` as t;
