-- Records that a run is about to be claimed. An intent of another instance stays: it is carried out first.
--
-- Parameters: sequence, pool, here, timeline (null: not recorded), client. Locks: the feed.
insert into mintmark.sequence_feed (sequence, pool, home, timeline, intent)
values (:sequence, :pool, :here, :timeline, :client)
on conflict (sequence) do update
set intent = coalesce(sequence_feed.intent, excluded.intent)
