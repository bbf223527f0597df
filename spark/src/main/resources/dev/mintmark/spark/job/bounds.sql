-- The least and the greatest key of a table, each by one look into the index; null of an empty one.
-- Before PostgreSQL 18 there is no min(uuid).
--
-- Parameters: none. The names of the table and of its key are put in as the server has quoted them.
-- Locks: those of reading the table.
select
  (select %2$s from %1$s where %2$s is not null order by %2$s limit 1)::text as first,
  (select %2$s from %1$s where %2$s is not null order by %2$s desc limit 1)::text as last
