-- Where a draft is made, when, and whether a table of public can be named without its schema.
-- Locks: none.
select
  current_database() as database,
  now() as at,
  coalesce(current_schema() = 'public', false) as is_public_first
