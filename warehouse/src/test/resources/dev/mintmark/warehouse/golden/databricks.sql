-- Identifiers for analysts: functions, and a view of every collection with a table.
-- Written by: mintmark udf databricks --schema 'mintmark' --tables 'public'
-- The views are those of the namespace bobsburgers.
-- It can be run again at any time: what is there is replaced.
--
-- The functions come with a session extension, dev.mintmark.spark.MintmarkExtensions, in the
-- jar of mintmark-spark. A session has them from its start, and under their bare names:
--
--   Databricks   a cluster library, or an init script that copies the jar to /databricks/jars, and
--                in the cluster's Spark configuration:
--                  spark.sql.extensions dev.mintmark.spark.MintmarkExtensions
--   spark-sql    spark-sql --jars mintmark-spark.jar \
--                  --conf spark.sql.extensions=dev.mintmark.spark.MintmarkExtensions -f this-file.sql
--   a job        spark-submit with the same --jars and --conf
--   PySpark      SparkSession.builder.config("spark.jars", "mintmark-spark.jar") \
--                  .config("spark.sql.extensions", "dev.mintmark.spark.MintmarkExtensions")
--
-- Whoever reads a view needs the extension as well.

create schema if not exists `mintmark`;

-- Fails if the session has not the extension; else 01FZG96YPZK4SANAG1ZM5T2K9Z.
select ulid_text('017fe093-7adf-9932-aaaa-01fd0ba14d3f');

-- ulid: ulid, kept as uuid
create or replace view `mintmark`.`ulid` as
select
  t.*,
  try_ulid_text(t.`id`) as `id_text`,
  try_ulid_time(t.`id`) as `id_time`,
  try_puri('bobsburgers', 'ulid', try_ulid_text(t.`id`)) as `id_puri`
from `public`.`ulid` as t;

-- ulid-kept-as-text: ulid, kept as text
create or replace view `mintmark`.`ulid_kept_as_text` as
select
  t.*,
  try_ulid_uuid(t.`ulid_id`) as `ulid_id_uuid`,
  try_ulid_time(try_ulid_uuid(t.`ulid_id`)) as `ulid_id_time`,
  try_puri('bobsburgers', 'ulid-kept-as-text', try_ulid_text(try_ulid_uuid(t.`ulid_id`))) as `ulid_id_puri`
from `legacy`.`ulids` as t;

-- uuidv7: uuidv7, kept as uuid
create or replace view `mintmark`.`uuidv7` as
select
  t.*,
  try_ulid_text(t.`id`) as `id_text`,
  try_ulid_time(t.`id`) as `id_time`,
  try_puri('bobsburgers', 'uuidv7', lower(cast(t.`id` as string))) as `id_puri`
from `public`.`uuidv7` as t;

-- uuidv7-kept-as-text: uuidv7, kept as text
create or replace view `mintmark`.`uuidv7_kept_as_text` as
select
  t.*,
  try_ulid_time(t.`uuidv7_id`) as `uuidv7_id_time`,
  try_puri('bobsburgers', 'uuidv7-kept-as-text', cast(try_ulid_uuid(try_ulid_text(t.`uuidv7_id`)) as string)) as `uuidv7_id_puri`
from `legacy`.`uuidv7s` as t;

-- uuidv4: uuidv4, kept as uuid
create or replace view `mintmark`.`uuidv4` as
select
  t.*,
  try_puri('bobsburgers', 'uuidv4', lower(cast(t.`id` as string))) as `id_puri`
from `public`.`uuidv4` as t;

-- uuidv4-kept-as-text: uuidv4, kept as text
create or replace view `mintmark`.`uuidv4_kept_as_text` as
select
  t.*,
  try_puri('bobsburgers', 'uuidv4-kept-as-text', cast(try_ulid_uuid(try_ulid_text(t.`uuidv4_id`)) as string)) as `uuidv4_id_puri`
from `legacy`.`uuidv4s` as t;

-- sequence: sequence, kept as bigint
create or replace view `mintmark`.`sequence` as
select
  t.*,
  case when t.`id` >= 0 then prefixed('PM', t.`id`, 6) end as `id_text`,
  try_puri('bobsburgers', 'sequence', case when t.`id` >= 0 then prefixed('PM', t.`id`, 6) end) as `id_puri`
from `public`.`sequence` as t;

-- sequence-kept-as-text: sequence, kept as text
create or replace view `mintmark`.`sequence_kept_as_text` as
select
  t.*,
  try_puri('bobsburgers', 'sequence-kept-as-text', prefixed('PM', try_unprefixed('PM', t.`sequence_id`), 6)) as `sequence_id_puri`
from `legacy`.`sequences` as t;

-- nanoid: nanoid, kept as text
create or replace view `mintmark`.`nanoid` as
select
  t.*,
  try_puri('bobsburgers', 'nanoid', t.`id`) as `id_puri`
from `public`.`nanoid` as t;

-- snowflake: snowflake, kept as bigint
create or replace view `mintmark`.`snowflake` as
select
  t.*,
  try_puri('bobsburgers', 'snowflake', case when t.`id` >= 0 then cast(t.`id` as string) end) as `id_puri`
from `public`.`snowflake` as t;

-- snowflake-kept-as-text: snowflake, kept as text
create or replace view `mintmark`.`snowflake_kept_as_text` as
select
  t.*,
  try_puri('bobsburgers', 'snowflake-kept-as-text', t.`snowflake_id`) as `snowflake_id_puri`
from `legacy`.`snowflakes` as t;

-- typeid: typeid, kept as uuid
create or replace view `mintmark`.`typeid` as
select
  t.*,
  try_typeid_text('user', t.`id`) as `id_text`,
  try_ulid_time(t.`id`) as `id_time`,
  try_puri('bobsburgers', 'typeid', try_typeid_text('user', t.`id`)) as `id_puri`
from `public`.`typeid` as t;

-- typeid-kept-as-text: typeid, kept as text
create or replace view `mintmark`.`typeid_kept_as_text` as
select
  t.*,
  try_typeid_uuid(t.`typeid_id`) as `typeid_id_uuid`,
  try_ulid_time(try_typeid_uuid(t.`typeid_id`)) as `typeid_id_time`,
  try_puri('bobsburgers', 'typeid-kept-as-text', case when try_typeid_text('user', try_typeid_uuid(t.`typeid_id`)) = t.`typeid_id` then t.`typeid_id` end) as `typeid_id_puri`
from `legacy`.`typeids` as t;

-- text: text, kept as text
create or replace view `mintmark`.`text` as
select
  t.*,
  try_puri('bobsburgers', 'text', translate(t.`id`, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as `id_puri`
from `public`.`text` as t;

-- narrow-numbers: sequence, kept as bigint
create or replace view `mintmark`.`narrow_numbers` as
select
  t.*,
  try_puri('bobsburgers', 'narrow-numbers', case when t.`id` >= 0 then cast(t.`id` as string) end) as `id_puri`
from `public`.`plain` as t;

-- orders: uuidv7, kept as uuid
create or replace view `mintmark`.`orders` as
select
  t.*,
  try_ulid_text(t.`Order Id`) as `Order Id_text`,
  try_ulid_time(t.`Order Id`) as `Order Id_time`,
  try_puri('bobsburgers', 'orders', lower(cast(t.`Order Id` as string))) as `Order Id_puri`
from `Shop`.`order` as t;

-- typeid-bare: typeid, kept as uuid
create or replace view `mintmark`.`typeid_bare` as
select
  t.*,
  try_typeid_text('', t.`id`) as `id_text`,
  try_ulid_time(t.`id`) as `id_time`,
  try_puri('bobsburgers', 'typeid-bare', try_typeid_text('', t.`id`)) as `id_puri`
from `public`.`bare` as t;
