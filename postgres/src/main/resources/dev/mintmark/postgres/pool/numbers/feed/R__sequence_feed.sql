-- What a database knows of the runs of numbers that its sequences are fed with: run in every database that owns such a
-- sequence. May be run again at any time.
--
-- A run goes from intent (a client that claims it, committed before it asks) to sequence_run with moved_at null (drawn)
-- to moved_at (the sequence was moved there, in the same transaction). Rows of runs stay for good: they are what tells
-- that a run is not to be used a second time.
--
-- One block, with or without a transaction around it: in it pg_catalog is first on the search path, so that no type,
-- function or operator of another role is used in place of PostgreSQL's. The path before it is restored.

do $script$
declare
  path constant pg_catalog.text := pg_catalog.current_setting('search_path');
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

  create schema if not exists mintmark;

  create table if not exists mintmark.sequence_feed (
    sequence     text primary key,
    pool         text not null,
    home         text not null,
    intent       text,
    first_number bigint,
    last_number  bigint check (last_number >= first_number),
    check ((first_number is null) = (last_number is null))
  );

  comment on column mintmark.sequence_feed.sequence is 'its schema, a dot and its name';
  comment on column mintmark.sequence_feed.home is 'the database it was fed in: a copy of it has another';
  comment on column mintmark.sequence_feed.intent is 'the client of a claim whose outcome is not recorded yet';
  comment on column mintmark.sequence_feed.first_number is 'what the sequence is bound by, MINVALUE; null: not fed yet';
  comment on column mintmark.sequence_feed.last_number is 'what the sequence is bound by, MAXVALUE: the end of a run';

  alter table mintmark.sequence_feed
    add column if not exists timeline text,
    add column if not exists abandoned boolean not null default false;

  comment on column mintmark.sequence_feed.timeline is 'of the database when it was looked at last: another one after a failover';
  comment on column mintmark.sequence_feed.abandoned is 'its run must be left at once: numbers of it may be lost and given again';

  create table if not exists mintmark.sequence_run (
    sequence     text not null references mintmark.sequence_feed,
    first_number bigint not null,
    last_number  bigint not null check (last_number >= first_number),
    client       text not null unique,
    drawn_at     timestamptz not null default now(),
    moved_at     timestamptz,
    primary key (sequence, first_number)
  );

  comment on column mintmark.sequence_run.client is 'who holds it in the pool';
  comment on column mintmark.sequence_run.moved_at is 'when the sequence was moved there; null: not yet';

  perform pg_catalog.set_config('search_path', path, true);
end
$script$;
