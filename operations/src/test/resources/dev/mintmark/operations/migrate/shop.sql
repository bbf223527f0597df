-- A shop whose keys are ULIDs kept as text, with what hangs on them in practice: references with every action, one to the
-- table itself, one that is part of a primary key, one declared nowhere, a view over a view, comments, rights.
do $$ begin create role reader; exception when duplicate_object or unique_violation then end $$;
create schema shop;
grant usage on schema shop to reader;
create table shop.customers (
  id character(26) primary key,
  name text not null,
  constraint customers_id_check check (char_length(id) = 26)
);
create table shop.orders (
  id text not null constraint orders_pkey primary key,
  customer_id character(26) references shop.customers (id) on delete set null,
  parent_id text references shop.orders (id),
  note text default 'none',
  made_at timestamptz not null default now(),
  constraint orders_parent_check check (parent_id <> id)
);
comment on column shop.orders.id is 'a ULID';
comment on constraint orders_pkey on shop.orders is 'it''s the key';
create index orders_customer_id_idx on shop.orders (customer_id, made_at desc);
create index orders_parent_id_idx on shop.orders (parent_id collate "C" text_pattern_ops) where parent_id is not null;
create table shop.order_lines (
  order_id text not null references shop.orders (id) on delete cascade on update cascade deferrable initially deferred,
  line integer not null,
  sku text not null,
  primary key (order_id, line)
);
create table shop.line_notes (
  order_id text not null,
  line integer not null,
  body text not null,
  constraint line_notes_line_fkey foreign key (order_id, line) references shop.order_lines (order_id, line) on delete cascade on update cascade
);
create table shop.audit (
  at timestamptz not null default now(),
  order_ref text,
  what text not null
);
create view shop.open_orders as select o.id, o.note, c.name from shop.orders o left join shop.customers c on c.id = o.customer_id;
create view shop.open_notes as select id, note from shop.open_orders where note <> '';
comment on view shop.open_orders is 'those that are open';
grant select on shop.orders, shop.open_orders to reader;
grant update (note) on shop.orders to reader;
grant select (id) on shop.customers to reader;
insert into shop.customers
select '01' || upper(substr(translate(md5('c' || n), 'abcdef', 'ABCDEF'), 1, 24)), 'customer ' || n
from generate_series(1, 50) n;
insert into shop.orders (id, customer_id, parent_id, made_at)
select
  '01' || upper(substr(translate(md5('o' || n), 'abcdef', 'ABCDEF'), 1, 24)),
  '01' || upper(substr(translate(md5('c' || (n % 50 + 1)), 'abcdef', 'ABCDEF'), 1, 24)),
  case when n % 7 = 0 then '01' || upper(substr(translate(md5('o' || (n - 1)), 'abcdef', 'ABCDEF'), 1, 24)) end,
  '2026-01-01'::timestamptz + n * interval '1 minute'
from generate_series(1, 400) n;
insert into shop.order_lines
select o.id, line, 'sku ' || line
from shop.orders o
cross join generate_series(1, 3) line;
insert into shop.line_notes select order_id, line, 'note' from shop.order_lines where line = 2;
insert into shop.audit (order_ref, what) select id, 'made' from shop.orders;
insert into shop.audit (order_ref, what) values ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'of an order that is gone');
