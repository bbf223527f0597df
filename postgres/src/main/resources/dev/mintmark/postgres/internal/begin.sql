-- Begins a transaction of several statements, whatever the database's defaults are: each is to see what others have
-- committed before it, and a session that is left hanging in between is ended, since others wait for its rows.
--
-- The search path is pinned: no function, operator or type that another role has created is used in place of
-- PostgreSQL's.
--
-- Parameters: none. Locks: none.
set transaction isolation level read committed;
set local search_path = pg_catalog, pg_temp;
set local idle_in_transaction_session_timeout = 10000
