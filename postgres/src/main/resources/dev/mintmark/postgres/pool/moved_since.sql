-- Reads in which database a pool is that was here once. No row if it was not moved. Parameters: name; here (the name of
-- this database, where it is if it has come back, or arrives). Locks: none.
(
  select :here as database
  from mintmark.pool
  join mintmark.pool_arrival using (pool_id)
  where name = :name)
union all
(
  select database
  from mintmark.pool_departure
  where name = :name
  order by departed_at desc
  limit 1)
