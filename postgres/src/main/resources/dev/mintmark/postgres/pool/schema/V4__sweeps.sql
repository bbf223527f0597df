-- When the pools were swept last, by any instance: many instances sweep no more often than a few (take_turn.sql).
create table mintmark.pool_sweep (
  is_only  boolean primary key default true check (is_only),
  swept_at timestamptz not null
);

insert into mintmark.pool_sweep (swept_at) values ('-infinity');
