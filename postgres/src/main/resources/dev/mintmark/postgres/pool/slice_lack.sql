-- Records how many values an instance lacks, for the others, which give values back.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); slice_id; lacking. Locks: the slice. Changes nothing if the
-- fence is closed, as slice_close.sql.
update mintmark.pool_slice
set lacking = :lacking
where slice_id = :slice_id and lacking <> :lacking
  and mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) in ('open', 'sliced')
