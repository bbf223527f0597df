-- Draws a fencing token, to compare it with those that another session draws. Parameters: none. Locks: none.
select nextval('mintmark.pool_token') as token
