-- Reads settings of the session.
--
-- Parameters: names (text[]). Locks: nothing.
select
  s.name,
  pg_catalog.current_setting(s.name) as value
from pg_catalog.unnest(:names::text[]) as s (name)
