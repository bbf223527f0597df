-- Deletes runs that were drawn for a sequence and not used yet, in a copy of the database for which they were drawn.
--
-- Parameters: sequence. Locks: the feed, then those runs.
with feed as (
  update mintmark.sequence_feed
  set intent = null
  where sequence = :sequence
  returning sequence
)
delete from mintmark.sequence_run
using feed
where sequence_run.sequence = feed.sequence and moved_at is null
