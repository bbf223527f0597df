-- The version of the server, its settings that matter most for these figures, and the database.
select
  pg_catalog.current_setting('server_version') as version,
  pg_catalog.current_setting('work_mem') as work_mem,
  pg_catalog.current_setting('shared_buffers') as shared_buffers,
  pg_catalog.current_setting('synchronous_commit') as synchronous_commit,
  pg_catalog.current_setting('full_page_writes') as full_page_writes,
  pg_catalog.current_database() as database
