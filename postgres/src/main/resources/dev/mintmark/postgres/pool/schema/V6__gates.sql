-- Who may claim values of a pool, while it is released in steps. A pool without a row is open to everybody.
create table mintmark.pool_gate (
  pool_id     integer primary key references mintmark.pool on delete cascade,
  owners      text[] not null check (cardinality(owners) <= 10000),
  share       integer check (share between 0 and 10000),
  rate_claims integer check (rate_claims > 0),
  rate_millis bigint check (rate_millis > 0),
  check ((rate_claims is null) = (rate_millis is null))
);

comment on column mintmark.pool_gate.owners is 'the owners that are let in by name';
comment on column mintmark.pool_gate.share is 'the share of all owners that is let in, in hundredths of a percent; null: none but those named';
comment on column mintmark.pool_gate.rate_claims is 'how many values an owner may claim in rate_millis; null: any number';
