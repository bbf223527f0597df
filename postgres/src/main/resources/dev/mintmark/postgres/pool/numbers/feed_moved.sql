-- Records where a sequence was moved to, in the transaction that moves it.
--
-- Parameters: sequence, here; first, last (of the run); bound_first (its lower bound from now on).
-- Locks: the feed, which is locked already, and the run.
with moved as (
  update mintmark.sequence_run
  set moved_at = now()
  where sequence = :sequence and first_number = :first
)
update mintmark.sequence_feed
set first_number = :bound_first, last_number = :last, home = :here, abandoned = false
where sequence = :sequence
