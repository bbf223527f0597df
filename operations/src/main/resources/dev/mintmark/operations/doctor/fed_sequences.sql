-- The sequences that are fed from a pool: the schema of each, a dot and its name.
-- Locks: ACCESS SHARE on the table, until the statement is rolled back.
select sequence as name
from mintmark.sequence_feed
