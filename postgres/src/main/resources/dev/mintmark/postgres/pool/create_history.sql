-- The migrations that Pools.migrate has run. Flyway has a table of its own.
create table mintmark.pool_migration (
  name    text primary key,
  ran_at  timestamptz not null default now()
);
