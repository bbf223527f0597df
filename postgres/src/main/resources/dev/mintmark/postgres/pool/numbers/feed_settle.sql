-- Takes an intent away that has been carried out, or has come to nothing.
--
-- Parameters: sequence, client. Locks: the feed.
update mintmark.sequence_feed
set intent = null
where sequence = :sequence and intent = :client
