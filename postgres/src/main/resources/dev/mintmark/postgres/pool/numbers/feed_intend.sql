-- Records that a run is about to be claimed. An intent of another instance stays: it is carried out first.
--
-- Parameters: sequence, pool, here, client. Locks: the feed.
insert into mintmark.sequence_feed (sequence, pool, home, intent)
values (:sequence, :pool, :here, :client)
on conflict (sequence) do update
set intent = coalesce(sequence_feed.intent, excluded.intent)
