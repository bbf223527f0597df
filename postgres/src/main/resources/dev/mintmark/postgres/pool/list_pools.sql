-- Lists the names of all pools. Parameters: none. Locks: none.
select name from mintmark.pool order by name
