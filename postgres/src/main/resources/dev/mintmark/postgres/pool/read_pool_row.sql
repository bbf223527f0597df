-- Reads the row of a pool, for another database. Parameters: pool_id. Locks: none.
select name, to_jsonb(pool)::text as moved from mintmark.pool where pool_id = :pool_id
