-- The least and the greatest key of a table, each by one look into the index; null of an empty one.
-- Before PostgreSQL 18 there is no min(uuid).
--
-- Parameters: none. TABLE and COLUMN are put in as the server has quoted them.
-- Locks: those of reading the table.
select
  (select COLUMN from TABLE where COLUMN is not null order by COLUMN limit 1)::text as first,
  (select COLUMN from TABLE where COLUMN is not null order by COLUMN desc limit 1)::text as last
