-- Removes an intent that was carried out, or has led to no run.
--
-- Parameters: sequence, client. Locks: the feed.
update mintmark.sequence_feed
set intent = null
where sequence = :sequence and intent = :client
