-- Where a draft is made, when, and whether a table of public can be named without its schema. Runs with the path of the
-- session, which it reports on, so it names the schema of all it calls.
-- Locks: none.
select
  pg_catalog.current_database() as database,
  pg_catalog.now() as at,
  coalesce(pg_catalog.current_schema() operator(pg_catalog.=) 'public', false) as is_public_first
