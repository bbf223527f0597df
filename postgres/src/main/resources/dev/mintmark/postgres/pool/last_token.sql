-- Reads the last token that was drawn, for whichever pool. Parameters: none. Locks: none.
select last_value as token from mintmark.pool_token
