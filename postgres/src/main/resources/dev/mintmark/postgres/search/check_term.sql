-- Fails with 2201B if the term is no regular expression, with 22P05 if the encoding of the database lacks a character of it.
--
-- Parameters: term. Locks: none.
select '' ~* :term
