-- Begins a transaction of several statements, whatever the database's defaults are: each is to see what others have
-- committed before it, and a session that is left hanging in between is ended, since others wait for its rows.
--
-- Parameters: none. Locks: none.
set transaction isolation level read committed;
set local idle_in_transaction_session_timeout = 10000
