-- Pools: sets of scarce identifiers. Every value of a pool has a position, 0 upwards, and at any moment a row in
-- just one of pool_free, pool_claim and pool_quarantine, unless the pool excludes it:
--
--     pool_free  --claim-->  pool_claim  --release, expiry-->  pool_quarantine  --sweep-->  pool_free
--
-- A value is its block's first value plus (position - first_position); the values themselves are not stored.

create table mintmark.pool (
  pool_id     integer generated always as identity primary key,
  name        text not null unique check (name ~ '^[a-z][a-z0-9-]{0,62}$'),
  exclude     text[] not null default '{}',
  lease       interval check (lease > interval '0'),
  quarantine  interval not null check (quarantine >= interval '0'),
  ipv6_prefix cidr,
  ipv6_source text check (ipv6_source in ('ipv4', 'client')),
  created_at  timestamptz not null default now(),
  check ((ipv6_prefix is null) = (ipv6_source is null))
);

comment on column mintmark.pool.lease is 'how long a claim is held unless renewed; null: until it is released';
comment on column mintmark.pool.quarantine is 'how long a value rests before it is handed out again';

-- Blocks of one pool cannot overlap: the ranges of one integer stand in for the = that GiST lacks without btree_gist.
create table mintmark.pool_block (
  pool_id        integer not null references mintmark.pool on delete cascade,
  first_position bigint not null check (first_position >= 0),
  size           bigint not null check (size > 0),
  addresses      cidr,
  numbers        int8range,
  primary key (pool_id, first_position),
  check (num_nonnulls(addresses, numbers) = 1),
  constraint pool_block_addresses_overlap
    exclude using gist (int4range(pool_id, pool_id, '[]') with &&, addresses inet_ops with &&),
  constraint pool_block_numbers_overlap
    exclude using gist (int4range(pool_id, pool_id, '[]') with &&, numbers with &&)
);

create table mintmark.pool_free (
  pool_id  integer not null references mintmark.pool on delete cascade,
  position bigint not null,
  primary key (pool_id, position)
);

create table mintmark.pool_claim (
  pool_id    integer not null references mintmark.pool on delete cascade,
  position   bigint not null,
  client     text not null,
  owner      text,
  token      bigint not null,
  claimed_at timestamptz not null,
  lease      interval,
  expires_at timestamptz,
  primary key (pool_id, position),
  unique (pool_id, client),
  unique (pool_id, token)
);

comment on column mintmark.pool_claim.lease is 'how long a renewal extends it; null: it is held until released';

create index pool_claim_owner on mintmark.pool_claim (pool_id, owner, position) where owner is not null;
create index pool_claim_expires_at on mintmark.pool_claim (pool_id, expires_at) where expires_at is not null;

create table mintmark.pool_quarantine (
  pool_id  integer not null references mintmark.pool on delete cascade,
  position bigint not null,
  until    timestamptz not null,
  primary key (pool_id, position)
);

create index pool_quarantine_until on mintmark.pool_quarantine (pool_id, until);

-- Fencing tokens: ascending, never used twice, so that a claim and a later one of the same value differ. No session may
-- draw them ahead of need: probe.sql goes by their order.
create sequence mintmark.pool_token cache 1;
