-- Takes the turn to sweep, unless an instance has taken it within a time. A turn that is ahead of the clock was taken
-- before the clock stepped back.
--
-- Parameters: millis. Locks: the row, skipping it if it is locked. Changes no row if it is not the turn.
update mintmark.pool_sweep
set swept_at = clock_timestamp()
where is_only = (
  select is_only
  from mintmark.pool_sweep
  where swept_at <= clock_timestamp() - :millis * interval '1 millisecond' or swept_at > clock_timestamp()
  for update skip locked)
