-- The smallest and the largest key of a table, each from one index access; null for an empty table.
-- PostgreSQL before version 18 has no min(uuid).
--
-- Parameters: none. The names of the table and of its key are inserted as quoted by the server, and the smallest value
-- of the type: PostgreSQL would not check that the key of a foreign table is not null if it is declared so.
-- Locks: ACCESS SHARE on the table.
select
  (select %2$s from %1$s where %2$s >= %3$s order by %2$s limit 1)::text as first,
  (select %2$s from %1$s where %2$s >= %3$s order by %2$s desc limit 1)::text as last
