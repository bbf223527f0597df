-- Gives the statements of this transaction the bound back that set_timeout has found.
--
-- Parameters: before. Locks: none.
select pg_catalog.set_config('statement_timeout', :before, true)
