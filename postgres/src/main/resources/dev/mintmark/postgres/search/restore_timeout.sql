-- Gives the statements of this transaction the bound back that set_timeout has found.
--
-- Parameters: before. Locks: none.
select set_config('statement_timeout', :before, true)
