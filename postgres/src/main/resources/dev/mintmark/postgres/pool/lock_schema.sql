-- Lets one instance at a time create or upgrade the tables of pools. Locks until the transaction ends: an advisory lock,
-- which other programs do not use by accident (the first half is "mint").
select pg_catalog.pg_advisory_xact_lock(1835626100, 1);
