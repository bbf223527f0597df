-- Has a pool get its blocks from another one. Parameters: pool_id; source; keep_free. Locks: none beside the new row.
insert into mintmark.pool_source (pool_id, source, keep_free)
values (:pool_id, :source, :keep_free)
