-- Pools: sets of scarce identifiers, handed out from blocks. A value of a block is its place there, 0 upwards without
-- gaps: what is excluded has none. A value gets a row when it is drawn from its block ("issued"), and from then on has
-- one in just one of pool_free, pool_claim and pool_quarantine:
--
--   block  --refill-->  pool_free  --claim-->  pool_claim  --release, expiry-->  pool_quarantine  --sweep-->  pool_free
--
-- Each arrow is one statement, so that in every snapshot
--   issued = rows in pool_free + pool_claim + pool_quarantine
--   size   = issued + never issued
-- The tables of values have no foreign keys: each would lock the row of the pool or block for every value that moves.
-- remove_block.sql and delete_pool.sql say how a block goes nevertheless.

create table mintmark.pool (
  pool_id     integer generated always as identity primary key,
  name        text not null unique check (name ~ '^[a-z][a-z0-9-]{0,62}$'),
  value_order text not null check (value_order in ('random', 'ascending')),
  per_client  integer not null check (per_client > 0),
  per_owner   integer check (per_owner > 0),
  sticky      boolean not null,
  lease       interval check (lease > interval '0'),
  quarantine  interval not null check (quarantine >= interval '0'),
  history     interval check (history >= interval '0'),
  ipv6_prefix cidr,
  ipv6_source text check (ipv6_source in ('ipv4', 'client')),
  created_at  timestamptz not null default now(),
  check ((ipv6_prefix is null) = (ipv6_source is null))
);

comment on column mintmark.pool.lease is 'how long a claim is held unless renewed; null: until it is released';
comment on column mintmark.pool.quarantine is 'how long a value rests before it is handed out again';
comment on column mintmark.pool.history is 'how long ended claims are kept; null: they are not';

-- A block that is removed keeps its row: the history names its values. The blocks of a pool cannot overlap: the ranges of
-- one integer stand in for the = that GiST lacks without btree_gist.
create table mintmark.pool_block (
  block_id   integer generated always as identity primary key,
  pool_id    integer not null references mintmark.pool on delete cascade,
  declared   text not null,
  addresses  cidr,
  numbers    int8range,
  run_length bigint check (run_length > 1),
  excluded   text[] not null,
  size       bigint not null check (size >= 0),
  seed       bytea not null,
  drawn      bigint not null default 0 check (drawn between 0 and size),
  issued     bigint not null default 0 check (issued between 0 and size),
  version    bigint not null default 0,
  not_before timestamptz,
  held_until timestamptz,
  draining   boolean not null default false,
  removed_at timestamptz,
  check (num_nonnulls(addresses, numbers) <= 1),
  constraint pool_block_addresses_overlap
    exclude using gist (int4range(pool_id, pool_id, '[]') with &&, addresses inet_ops with &&) where (removed_at is null),
  constraint pool_block_numbers_overlap
    exclude using gist (int4range(pool_id, pool_id, '[]') with &&, numbers with &&) where (removed_at is null)
);

create index pool_block_pool_id on mintmark.pool_block (pool_id, block_id);

comment on column mintmark.pool_block.declared is 'the block it is, or is a part of, as it was declared';
comment on column mintmark.pool_block.drawn is 'how far values were drawn, in an order that the seed decides';
comment on column mintmark.pool_block.issued is 'how many values have a row: those drawn, and those claimed by name before';
comment on column mintmark.pool_block.version is 'counts the changes of issued: who changes it names the version they saw';
comment on column mintmark.pool_block.not_before is 'until then no value is drawn; null: at any time';
comment on column mintmark.pool_block.held_until is 'the latest held_until of the free values that lost their rows';

-- The values of lists.
create table mintmark.pool_listed (
  block_id integer not null references mintmark.pool_block on delete cascade,
  place    bigint not null,
  pool_id  integer not null,
  value    text not null,
  removed  boolean not null default false,
  primary key (block_id, place)
);

create unique index pool_listed_value on mintmark.pool_listed (pool_id, value) where not removed;

-- last_*: who held it last, if anybody did; held_until: until when the lease of theirs was to last.
create table mintmark.pool_free (
  pool_id     integer not null,
  block_id    integer not null,
  place       bigint not null,
  last_client text,
  last_slot   integer,
  last_token  bigint,
  held_until  timestamptz,
  primary key (pool_id, block_id, place)
);

create index pool_free_last_client on mintmark.pool_free (pool_id, last_client, last_slot) where last_client is not null;

create table mintmark.pool_claim (
  pool_id      integer not null,
  block_id     integer not null,
  place        bigint not null,
  client       text not null,
  slot         integer not null,
  owner        text,
  token        bigint not null,
  claimed_at   timestamptz not null,
  lease        interval,
  expires_at   timestamptz,
  previous_end timestamptz,
  primary key (pool_id, block_id, place),
  unique (pool_id, client, slot),
  unique (pool_id, token)
);

comment on column mintmark.pool_claim.slot is 'which of the values of its client, 0 upwards';
comment on column mintmark.pool_claim.lease is 'how long a renewal extends it; null: it is held until released';
comment on column mintmark.pool_claim.previous_end is 'until when the lease of the claim before was to last';

create index pool_claim_owner on mintmark.pool_claim (pool_id, owner, block_id, place) where owner is not null;
create index pool_claim_expires_at on mintmark.pool_claim (pool_id, expires_at) where expires_at is not null;

-- A value that an operator put there has no last_client: nobody has it back early.
create table mintmark.pool_quarantine (
  pool_id     integer not null,
  block_id    integer not null,
  place       bigint not null,
  until       timestamptz not null,
  last_client text,
  last_slot   integer,
  last_token  bigint,
  held_until  timestamptz,
  primary key (pool_id, block_id, place)
);

create index pool_quarantine_until on mintmark.pool_quarantine (pool_id, until);
create index pool_quarantine_last_client on mintmark.pool_quarantine (pool_id, last_client, last_slot)
  where last_client is not null;
create index pool_quarantine_last_token on mintmark.pool_quarantine (pool_id, last_token) where last_token is not null;

-- Claims that have ended.
create table mintmark.pool_history (
  pool_id    integer not null,
  block_id   integer not null,
  place      bigint not null,
  client     text not null,
  slot       integer not null,
  owner      text,
  token      bigint not null,
  claimed_at timestamptz not null,
  ended_at   timestamptz not null,
  ending     text not null check (ending in ('released', 'expired')),
  primary key (pool_id, token)
);

create index pool_history_value on mintmark.pool_history (pool_id, block_id, place, token);
create index pool_history_ended_at on mintmark.pool_history (pool_id, ended_at);

-- Owners whose claims are counted: the row is what two instances that count for one owner wait for.
create table mintmark.pool_owner (
  pool_id integer not null references mintmark.pool on delete cascade,
  owner   text not null,
  primary key (pool_id, owner)
);

-- Fencing tokens: ascending, never used twice, so that a claim and a later one of the same value differ. No session may
-- draw them ahead of need: probe.sql goes by their order.
create sequence mintmark.pool_token cache 1;
