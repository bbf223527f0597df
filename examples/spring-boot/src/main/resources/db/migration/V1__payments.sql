create table mandates (
  id     uuid primary key default mintmark.ulid(),
  debtor text not null
);

create sequence payment_seq increment 50;

create table payments (
  id      bigint primary key,
  mandate uuid not null references mandates,
  cents   bigint not null
);
