-- What a database knows of the migrations of its keys: which steps there are, what each does, and how far they are. May be
-- run again at any time; one that is needed and missing is made by the first migration.
--
-- A migration goes from applying to baking (old and new column are both kept), and from there to contracting and contracted
-- (the old one is gone); from applying and baking it may also go to rolling-back and rolled-back. One at a time is active.
-- Its steps are run in order and undone in the opposite order: pending, doing (only of those that take more than one
-- transaction), done, undone. They stay for good, as a record.

create schema if not exists mintmark;

create table if not exists mintmark.key_migration (
  id          bigint generated always as identity primary key,
  fingerprint text not null,
  state       text not null default 'applying'
    check (state in ('applying', 'baking', 'contracting', 'contracted', 'rolling-back', 'rolled-back')),
  paused      boolean not null default false,
  started_at  timestamptz not null default now(),
  run_at      timestamptz not null default now(),
  ended_at    timestamptz,
  check ((ended_at is not null) = (state in ('contracted', 'rolled-back')))
);

comment on column mintmark.key_migration.fingerprint is 'of the plan';
comment on column mintmark.key_migration.paused is 'whether the run is to end with its next transaction';
comment on column mintmark.key_migration.run_at is 'when the last run began';
comment on column mintmark.key_migration.ended_at is 'null: it is active';

create unique index if not exists key_migration_active
  on mintmark.key_migration ((true))
  where ended_at is null;

create table if not exists mintmark.key_migration_step (
  migration_id   bigint not null references mintmark.key_migration on delete cascade,
  ordinal        integer not null check (ordinal > 0),
  phase          text not null,
  work           text not null,
  title          text not null,
  target         text not null,
  apply          text[] not null,
  undo           text[] not null,
  lock_tables    text[] not null,
  lock_modes     text[] not null,
  locks_held     text[] not null,
  rows_estimated bigint not null,
  wal_bytes      bigint not null,
  disk_bytes     bigint not null,
  seconds        bigint not null,
  state          text not null default 'pending' check (state in ('pending', 'doing', 'done', 'undone')),
  cursor         text[],
  rows_done      bigint not null default 0,
  started_at     timestamptz,
  done_at        timestamptz,
  primary key (migration_id, ordinal)
);

comment on column mintmark.key_migration_step.ordinal is 'from 1, in the order in which they are run';
comment on column mintmark.key_migration_step.lock_tables is 'what is locked; how and how long is at the same place of the next two';
comment on column mintmark.key_migration_step.wal_bytes is 'an estimate, as disk_bytes and seconds';
comment on column mintmark.key_migration_step.cursor is 'where its next batch begins; null: at the start, or it has none';
comment on column mintmark.key_migration_step.done_at is 'when it was done or, behind that, undone';

create table if not exists mintmark.key_migration_limit (
  migration_id bigint not null references mintmark.key_migration on delete cascade,
  ordinal      integer not null check (ordinal > 0),
  column_name  text not null,
  query        text not null,
  last         bigint not null,
  primary key (migration_id, ordinal)
);

comment on column mintmark.key_migration_limit.query is 'asks for the greatest value there is';
comment on column mintmark.key_migration_limit.last is 'the greatest value there is a way back from';

create table if not exists mintmark.key_quarantine (
  migration_id bigint not null references mintmark.key_migration on delete cascade,
  relation     text not null,
  id           uuid not null,
  value        text not null,
  primary key (migration_id, relation, id)
);

comment on table mintmark.key_quarantine is 'texts that were no identifiers, and which stand for them now';
comment on column mintmark.key_quarantine.relation is 'its table, as PostgreSQL writes it';

create table if not exists mintmark.key_migration_wait (
  migration_id bigint primary key references mintmark.key_migration on delete cascade,
  ordinal      integer not null,
  reason       text not null,
  since_at     timestamptz not null,
  noted_at     timestamptz not null
);

comment on table mintmark.key_migration_wait is 'why the run of a migration waits, once it has waited for a second';
comment on column mintmark.key_migration_wait.ordinal is 'of the step that waits';
comment on column mintmark.key_migration_wait.noted_at is 'when the run last said so; before run_at it is of an earlier run';
