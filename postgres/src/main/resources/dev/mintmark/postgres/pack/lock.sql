-- One at a time installs or takes away, in whatever schema. Held until the transaction ends.
select pg_advisory_xact_lock(1296649812, 0)
