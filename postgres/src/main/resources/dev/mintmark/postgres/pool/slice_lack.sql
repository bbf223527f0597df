-- Records how many values an instance lacks, for the others, which give values back. Parameters: slice_id; lacking.
-- Locks: the slice.
update mintmark.pool_slice
set lacking = :lacking
where slice_id = :slice_id and lacking <> :lacking
