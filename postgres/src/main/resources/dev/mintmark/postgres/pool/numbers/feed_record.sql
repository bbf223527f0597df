-- Records the run of an intent, unless that was done, or the run overlaps a run of this sequence.
-- Returns whether it is recorded.
--
-- Parameters: sequence, client, first, last. Locks: no existing rows; the feed is locked already.
with recorded as (
  insert into mintmark.sequence_run (sequence, first_number, last_number, client)
  select :sequence, :first::bigint, :last::bigint, :client
  where not exists (
    select from mintmark.sequence_run
    where sequence = :sequence and first_number <= :last and last_number >= :first)
  on conflict do nothing
  returning client
)
select
  exists (select from recorded)
    or exists (select from mintmark.sequence_run where client = :client and first_number = :first) as recorded
