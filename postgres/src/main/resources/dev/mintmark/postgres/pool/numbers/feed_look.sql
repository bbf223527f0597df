-- Reads the state of a sequence and its feed, except for its last value: one row, or none if there is no such sequence.
--
-- Parameters: sequence (as it is fed: schema, dot, name), schema, name; with_timeline (if false, here_timeline is null).
-- Locks: none.
select
  sequences.data_type::text as type,
  sequences.increment_by,
  sequences.cycle,
  sequences.min_value,
  sequences.max_value,
  (
    select relpersistence = 'p'
    from pg_catalog.pg_class
    where oid = format('%I.%I', sequences.schemaname, sequences.sequencename)::regclass) as permanent,
  pg_has_role(sequences.sequenceowner, 'usage') as owned,
  has_sequence_privilege(format('%I.%I', sequences.schemaname, sequences.sequencename), 'select') as readable,
  here.home as here,
  current_database() as database,
  case when :with_timeline then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as here_timeline,
  feed.pool,
  feed.home,
  feed.intent,
  feed.timeline,
  coalesce(feed.abandoned, false) as abandoned,
  feed.first_number,
  feed.last_number,
  present.last_number - present.first_number + 1 as present_size,
  waiting.first_number as waiting_first,
  waiting.last_number as waiting_last
from pg_catalog.pg_sequences as sequences
cross join (
  select (select system_identifier from pg_catalog.pg_control_system()) || '/' || oid as home
  from pg_catalog.pg_database
  where datname = current_database()
) as here
left join mintmark.sequence_feed as feed on feed.sequence = :sequence
left join mintmark.sequence_run as present
  on present.sequence = feed.sequence and present.last_number = feed.last_number
left join lateral (
  select first_number, last_number
  from mintmark.sequence_run
  where sequence = feed.sequence and moved_at is null
  order by drawn_at, first_number
  limit 1
) as waiting on true
where sequences.schemaname = :schema and sequences.sequencename = :name
