-- Lets only one session at a time install or uninstall, in any schema. The lock is held until the transaction ends.
select pg_advisory_xact_lock(1296649812, 0)
