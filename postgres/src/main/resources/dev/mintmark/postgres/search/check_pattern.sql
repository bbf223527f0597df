-- Fails with 2201B if the term is no regular expression.
--
-- Parameters: term. Locks: none.
select '' ~* :term
