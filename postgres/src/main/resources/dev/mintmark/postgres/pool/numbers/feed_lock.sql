-- Lets one instance at a time move a sequence.
--
-- Parameters: sequence. Locks: the feed, until the end of the transaction.
select sequence
from mintmark.sequence_feed
where sequence = :sequence
for update
