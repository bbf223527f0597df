-- Sets settings of the session or of its transaction.
--
-- Parameters: names and values (text[], as many as one another), local (whether they end with the transaction). Locks: nothing.
select pg_catalog.set_config(s.name, s.value, :local::boolean)
from rows from (pg_catalog.unnest(:names::text[]), pg_catalog.unnest(:values::text[])) as s (name, value)
