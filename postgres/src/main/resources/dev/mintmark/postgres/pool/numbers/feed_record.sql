-- Records the run of an intent, unless that was done, the intent was deleted, or the run overlaps a run of this sequence.
-- Returns whether it is recorded, and whether the intent is there.
--
-- Parameters: sequence, client, first, last. Locks: no existing rows; the feed is locked already.
with recorded as (
  insert into mintmark.sequence_run (sequence, first_number, last_number, client)
  select feed.sequence, :first::bigint, :last::bigint, feed.intent
  from mintmark.sequence_feed as feed
  where feed.sequence = :sequence and feed.intent = :client and not exists (
    select from mintmark.sequence_run
    where sequence = :sequence and first_number <= :last and last_number >= :first)
  on conflict do nothing
  returning client
)
select
  exists (select from recorded)
    or exists (select from mintmark.sequence_run where client = :client and first_number = :first) as recorded,
  exists (select from mintmark.sequence_feed where sequence = :sequence and intent = :client) as intended
