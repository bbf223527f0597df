-- How full each pool was, over time, and from which share on it counts as full.

alter table mintmark.pool
  add column thresholds integer[] not null default '{80,95}' check (pg_catalog.array_position(thresholds, null) is null);

comment on column mintmark.pool.thresholds is 'shares of values that are not free, in percent, that watches, charts and metrics report';

-- A row for each pool and minute, and one for each hour: that of its fullest minute. record_usage.sql writes both, in
-- the instance whose turn it is to sweep; prune_usage.sql deletes minutes after two days, and hours after 400 days.
-- A minute without a row: no instance swept then.
create table mintmark.pool_usage (
  pool_id     integer not null references mintmark.pool on delete cascade,
  span        text not null check (span in ('minute', 'hour')),
  at          timestamptz not null,
  held        numeric not null,
  quarantined numeric not null,
  free        numeric not null,
  capacity    numeric not null,
  primary key (pool_id, span, at)
);

comment on column mintmark.pool_usage.at is 'the beginning of the minute or of the hour';
