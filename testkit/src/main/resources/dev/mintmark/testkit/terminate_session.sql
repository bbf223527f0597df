-- Ends one session of a run of fault checks, drawn at random. Answers how many it ended. A role may end its own
-- sessions: no superuser is needed.
-- Parameters: application_name (which only sessions of the run have); idle (true: also one that does nothing at the
--   moment; false: one in the middle of a statement or transaction). Locks: none.
select pg_catalog.count(*) filter (where pg_catalog.pg_terminate_backend(pid)) as terminated
from (
  select pid
  from pg_catalog.pg_stat_activity
  where datname = pg_catalog.current_database()
    and usename = current_user
    and application_name = :application_name
    and (:idle or state <> 'idle')
    and pid <> pg_catalog.pg_backend_pid()
  order by pg_catalog.random()
  limit 1
) as victim
