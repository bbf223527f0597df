-- Notes that a run is about to be claimed, before it is. Somebody else's intent stays: it is to be carried out first.
--
-- Parameters: sequence, pool, here, client. Locks: the feed.
insert into mintmark.sequence_feed (sequence, pool, home, intent)
values (:sequence, :pool, :here, :client)
on conflict (sequence) do update
set intent = coalesce(sequence_feed.intent, excluded.intent)
