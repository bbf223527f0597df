-- Changes the row, so that another session can see it. The next sweep is due a microsecond earlier.
--
-- Parameters: none. Locks: the row.
update mintmark.pool_sweep
set swept_at = case when isfinite(swept_at) then swept_at - interval '1 microsecond' else timestamptz 'epoch' end
