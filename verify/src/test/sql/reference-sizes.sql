-- Sizes and joins of references to rows of any collection: a whole pURI as text, the names of the type as text beside the id, and
-- the columns of mintmark catalog references. 1,000,000 references of two types to 200,000 rows each. Takes about a minute, and creates
-- the schema reference_sizes. Requires the SQL pack in the schema mintmark, and the types b.m (uuid) and b.p (bigint):
--
--   mintmark pack print | psql -1
--   mintmark catalog references vectors/puris-catalog.json | psql -1
--   psql -f verify/src/test/sql/reference-sizes.sql
\set ON_ERROR_STOP on
\timing off
set client_min_messages = warning;
set max_parallel_workers_per_gather = 0;
drop schema if exists reference_sizes cascade;
create schema reference_sizes;
set search_path = reference_sizes;

create table meats (id uuid primary key, name text);
insert into meats select mintmark.ulid_monotonic(), 'meat ' || n from generate_series(1, 200000) n;
create table payments (id bigint primary key, name text);
insert into payments select n, 'payment ' || n from generate_series(1, 200000) n;

-- As many references to each type, in random order.
create table chosen as
select n, mintmark.puri('bobsburgers', 'meats', m.id) as puri
from generate_series(1, 500000) n
join (select id, row_number() over (order by random()) as place from meats) m on m.place = n % 200000 + 1
union all
select n, mintmark.puri('bobsburgers', 'payments', mintmark.prefixed('PM', n % 200000 + 1, 6))
from generate_series(500001, 1000000) n;

create table as_puri (id bigint, subject text);
insert into as_puri select n, puri from chosen order by n;
create index on as_puri (subject);

create table as_names (id bigint, subject_type text, subject_uuid uuid, subject_number bigint);
insert into as_names
select n, 'bobsburgers:' || mintmark.puri_collection(puri), r.uuid, r.number
from chosen cross join lateral mintmark.reference_of(puri) r
order by n;
create index on as_names (subject_type, subject_uuid) where subject_uuid is not null;
create index on as_names (subject_type, subject_number) where subject_number is not null;

create table as_codes (id bigint, subject_type smallint, subject_uuid uuid, subject_number bigint, subject_text text);
alter table as_codes add constraint subject_fits check (mintmark.reference_fits(subject_type, subject_uuid, subject_number, subject_text));
insert into as_codes
select n, r.type, r.uuid, r.number, r.text
from chosen cross join lateral mintmark.reference_of(puri) r
order by n;
create index on as_codes (subject_type, subject_uuid) where subject_uuid is not null;
create index on as_codes (subject_type, subject_number) where subject_number is not null;
create index on as_codes (subject_text) where subject_text is not null;
vacuum analyze;

select name,
  pg_size_pretty(pg_relation_size(name::regclass)) as rows,
  pg_size_pretty(pg_indexes_size(name::regclass)) as indexes,
  pg_size_pretty(pg_total_relation_size(name::regclass)) as total,
  round(100.0 * pg_total_relation_size(name::regclass) / pg_total_relation_size('as_puri')) as percent
from unnest(array['as_puri', 'as_names', 'as_codes']) name;

select (mintmark.reference_of('bobsburgers:meats:017fe093-7adf-9932-aaaa-01fd0ba14d3f')).type as meat,
  (mintmark.reference_of('bobsburgers:payments:PM000001')).type as payment \gset

-- Each three times: the first reads the tables into memory.
\timing on
\echo 'all references to meats, joined: pURI, names, codes'
select count(name) from as_puri r join meats m on r.subject = 'bobsburgers:meats:' || m.id::text;
select count(name) from as_puri r join meats m on r.subject = 'bobsburgers:meats:' || m.id::text;
select count(name) from as_puri r join meats m on r.subject = 'bobsburgers:meats:' || m.id::text;
select count(name) from as_names r join meats m on r.subject_type = 'bobsburgers:meats' and r.subject_uuid = m.id;
select count(name) from as_names r join meats m on r.subject_type = 'bobsburgers:meats' and r.subject_uuid = m.id;
select count(name) from as_names r join meats m on r.subject_type = 'bobsburgers:meats' and r.subject_uuid = m.id;
select count(name) from as_codes r join meats m on r.subject_type = :meat and r.subject_uuid = m.id;
select count(name) from as_codes r join meats m on r.subject_type = :meat and r.subject_uuid = m.id;
select count(name) from as_codes r join meats m on r.subject_type = :meat and r.subject_uuid = m.id;
\echo 'all references to payments, joined: pURI, names, codes'
select count(name) from as_puri r join payments p on r.subject = 'bobsburgers:payments:PM' || lpad(p.id::text, 6, '0');
select count(name) from as_puri r join payments p on r.subject = 'bobsburgers:payments:PM' || lpad(p.id::text, 6, '0');
select count(name) from as_puri r join payments p on r.subject = 'bobsburgers:payments:PM' || lpad(p.id::text, 6, '0');
select count(name) from as_names r join payments p on r.subject_type = 'bobsburgers:payments' and r.subject_number = p.id;
select count(name) from as_names r join payments p on r.subject_type = 'bobsburgers:payments' and r.subject_number = p.id;
select count(name) from as_names r join payments p on r.subject_type = 'bobsburgers:payments' and r.subject_number = p.id;
select count(name) from as_codes r join payments p on r.subject_type = :payment and r.subject_number = p.id;
select count(name) from as_codes r join payments p on r.subject_type = :payment and r.subject_number = p.id;
select count(name) from as_codes r join payments p on r.subject_type = :payment and r.subject_number = p.id;
\echo '10,000 look-ups of the references to one meat, by the index: pURI, names, codes'
select sum(c) from (select id from meats limit 10000) m cross join lateral (select count(*) from as_puri r where r.subject = 'bobsburgers:meats:' || m.id::text) x (c);
select sum(c) from (select id from meats limit 10000) m cross join lateral (select count(*) from as_puri r where r.subject = 'bobsburgers:meats:' || m.id::text) x (c);
select sum(c) from (select id from meats limit 10000) m cross join lateral (select count(*) from as_names r where r.subject_type = 'bobsburgers:meats' and r.subject_uuid = m.id) x (c);
select sum(c) from (select id from meats limit 10000) m cross join lateral (select count(*) from as_names r where r.subject_type = 'bobsburgers:meats' and r.subject_uuid = m.id) x (c);
select sum(c) from (select id from meats limit 10000) m cross join lateral (select count(*) from as_codes r where r.subject_type = :meat and r.subject_uuid = m.id) x (c);
select sum(c) from (select id from meats limit 10000) m cross join lateral (select count(*) from as_codes r where r.subject_type = :meat and r.subject_uuid = m.id) x (c);
\timing off
drop schema reference_sizes cascade;
