-- Forgets what was drawn for a sequence and not used yet, for a copy of the database that it was drawn in.
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
