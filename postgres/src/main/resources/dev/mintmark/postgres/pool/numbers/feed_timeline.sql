-- Records the timeline of the database. If another one was recorded, the database has failed over or was restored since then:
-- numbers of the sequence, and runs that were drawn for it, may have been used in the history that was lost, and are abandoned.
-- Does nothing if another instance has done it.
--
-- Parameters: sequence. Locks: the feed, then its runs that were not used yet.
with present as (
  select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline
),
changed as (
  update mintmark.sequence_feed as feed
  set
    timeline = present.timeline,
    abandoned = feed.abandoned or feed.timeline is not null,
    intent = case when feed.timeline is null then feed.intent end
  from present
  where feed.sequence = :sequence and feed.timeline is distinct from present.timeline
  returning feed.sequence, feed.abandoned
)
delete from mintmark.sequence_run
using changed
where changed.abandoned and sequence_run.sequence = changed.sequence and moved_at is null
