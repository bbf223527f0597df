-- The tables, views, functions and triggers of Pagila, for PostgreSQL 14 and later. See README.md.

create domain "bıgınt" as bigint;

create domain year as integer check (value >= 1901 and value <= 2155);

create type mpaa_rating as enum ('G', 'PG', 'PG-13', 'R', 'NC-17');

create function _group_concat(text, text) returns text
language sql immutable as $$
  select case when $2 is null then $1 when $1 is null then $2 else $1 || ', ' || $2 end
$$;

create aggregate group_concat(text) (sfunc = _group_concat, stype = text);

create function last_day(timestamptz) returns date
language sql immutable strict as $$
  select (date_trunc('month', $1 at time zone 'UTC') + interval '1 month - 1 day')::date
$$;

create function last_updated() returns trigger
language plpgsql as $$
begin
  new.last_update = current_timestamp;
  return new;
end
$$;

create sequence actor_actor_id_seq;
create table actor (
  actor_id integer default nextval('actor_actor_id_seq') not null,
  first_name text not null,
  last_name text not null,
  last_update timestamptz default now() not null,
  constraint actor_pkey primary key (actor_id)
);

create sequence category_category_id_seq;
create table category (
  category_id integer default nextval('category_category_id_seq') not null,
  name text not null,
  last_update timestamptz default now() not null,
  constraint category_pkey primary key (category_id)
);

create sequence country_country_id_seq;
create table country (
  country_id integer default nextval('country_country_id_seq') not null,
  country text not null,
  last_update timestamptz default now() not null,
  constraint country_pkey primary key (country_id)
);

create sequence city_city_id_seq;
create table city (
  city_id integer default nextval('city_city_id_seq') not null,
  city text not null,
  country_id integer not null,
  last_update timestamptz default now() not null,
  constraint city_pkey primary key (city_id)
);

create sequence address_address_id_seq;
create table address (
  address_id integer default nextval('address_address_id_seq') not null,
  address text not null,
  address2 text,
  district text not null,
  city_id integer not null,
  postal_code text,
  phone text not null,
  last_update timestamptz default now() not null,
  constraint address_pkey primary key (address_id)
);

create sequence language_language_id_seq;
create table language (
  language_id integer default nextval('language_language_id_seq') not null,
  name character(20) not null,
  last_update timestamptz default now() not null,
  constraint language_pkey primary key (language_id)
);

create sequence film_film_id_seq;
create table film (
  film_id integer default nextval('film_film_id_seq') not null,
  title text not null,
  description text,
  release_year year,
  language_id integer not null,
  original_language_id integer,
  rental_duration smallint default 3 not null,
  rental_rate numeric(4, 2) default 4.99 not null,
  length smallint,
  replacement_cost numeric(5, 2) default 19.99 not null,
  rating mpaa_rating default 'G',
  last_update timestamptz default now() not null,
  special_features text[],
  fulltext tsvector not null,
  constraint film_pkey primary key (film_id)
);

create table film_actor (
  actor_id integer not null,
  film_id integer not null,
  last_update timestamptz default now() not null,
  constraint film_actor_pkey primary key (actor_id, film_id)
);

create table film_category (
  film_id integer not null,
  category_id integer not null,
  last_update timestamptz default now() not null,
  constraint film_category_pkey primary key (film_id, category_id)
);

create sequence store_store_id_seq;
create table store (
  store_id integer default nextval('store_store_id_seq') not null,
  manager_staff_id integer not null,
  address_id integer not null,
  last_update timestamptz default now() not null,
  constraint store_pkey primary key (store_id)
);

create sequence staff_staff_id_seq;
create table staff (
  staff_id integer default nextval('staff_staff_id_seq') not null,
  first_name text not null,
  last_name text not null,
  address_id integer not null,
  email text,
  store_id integer not null,
  active boolean default true not null,
  username text not null,
  password text,
  last_update timestamptz default now() not null,
  picture bytea,
  constraint staff_pkey primary key (staff_id)
);

create sequence customer_customer_id_seq;
create table customer (
  customer_id integer default nextval('customer_customer_id_seq') not null,
  store_id integer not null,
  first_name text not null,
  last_name text not null,
  email text,
  address_id integer not null,
  activebool boolean default true not null,
  create_date date default current_date not null,
  last_update timestamptz default now(),
  active integer,
  constraint customer_pkey primary key (customer_id)
);

create sequence inventory_inventory_id_seq;
create table inventory (
  inventory_id integer default nextval('inventory_inventory_id_seq') not null,
  film_id integer not null,
  store_id integer not null,
  last_update timestamptz default now() not null,
  constraint inventory_pkey primary key (inventory_id)
);

create sequence rental_rental_id_seq;
create table rental (
  rental_id integer default nextval('rental_rental_id_seq') not null,
  rental_date timestamptz not null,
  inventory_id integer not null,
  customer_id integer not null,
  return_date timestamptz,
  staff_id integer not null,
  last_update timestamptz default now() not null,
  constraint rental_pkey primary key (rental_id)
);

create sequence payment_payment_id_seq;
create table payment (
  payment_id integer default nextval('payment_payment_id_seq') not null,
  customer_id integer not null,
  staff_id integer not null,
  rental_id integer not null,
  amount numeric(5, 2) not null,
  payment_date timestamptz not null,
  constraint payment_pkey primary key (payment_date, payment_id)
) partition by range (payment_date);

create table payment_p2022_01 partition of payment
  for values from ('2022-01-01 00:00:00+00') to ('2022-02-01 00:00:00+00');
create table payment_p2022_02 partition of payment
  for values from ('2022-02-01 00:00:00+00') to ('2022-03-01 00:00:00+00');
create table payment_p2022_03 partition of payment
  for values from ('2022-03-01 00:00:00+00') to ('2022-04-01 00:00:00+00');
create table payment_p2022_04 partition of payment
  for values from ('2022-04-01 00:00:00+00') to ('2022-05-01 00:00:00+00');
create table payment_p2022_05 partition of payment
  for values from ('2022-05-01 00:00:00+00') to ('2022-06-01 00:00:00+00');
create table payment_p2022_06 partition of payment
  for values from ('2022-06-01 00:00:00+00') to ('2022-07-01 00:00:00+00');
create table payment_p2022_07 partition of payment
  for values from ('2022-07-01 00:00:00+00') to ('2022-08-01 00:00:00+00');

-- The keys of payments refer to others from each part, not from the whole.
alter table payment_p2022_01
  add constraint payment_p2022_01_customer_id_fkey foreign key (customer_id) references customer,
  add constraint payment_p2022_01_rental_id_fkey foreign key (rental_id) references rental,
  add constraint payment_p2022_01_staff_id_fkey foreign key (staff_id) references staff;
alter table payment_p2022_02
  add constraint payment_p2022_02_customer_id_fkey foreign key (customer_id) references customer,
  add constraint payment_p2022_02_rental_id_fkey foreign key (rental_id) references rental,
  add constraint payment_p2022_02_staff_id_fkey foreign key (staff_id) references staff;
alter table payment_p2022_03
  add constraint payment_p2022_03_customer_id_fkey foreign key (customer_id) references customer,
  add constraint payment_p2022_03_rental_id_fkey foreign key (rental_id) references rental,
  add constraint payment_p2022_03_staff_id_fkey foreign key (staff_id) references staff;
alter table payment_p2022_04
  add constraint payment_p2022_04_customer_id_fkey foreign key (customer_id) references customer,
  add constraint payment_p2022_04_rental_id_fkey foreign key (rental_id) references rental,
  add constraint payment_p2022_04_staff_id_fkey foreign key (staff_id) references staff;
alter table payment_p2022_05
  add constraint payment_p2022_05_customer_id_fkey foreign key (customer_id) references customer,
  add constraint payment_p2022_05_rental_id_fkey foreign key (rental_id) references rental,
  add constraint payment_p2022_05_staff_id_fkey foreign key (staff_id) references staff;
alter table payment_p2022_06
  add constraint payment_p2022_06_customer_id_fkey foreign key (customer_id) references customer,
  add constraint payment_p2022_06_rental_id_fkey foreign key (rental_id) references rental,
  add constraint payment_p2022_06_staff_id_fkey foreign key (staff_id) references staff;
-- The last part has no foreign keys.

alter table city
  add constraint city_country_id_fkey foreign key (country_id) references country
    on update cascade on delete restrict;
alter table address
  add constraint address_city_id_fkey foreign key (city_id) references city
    on update cascade on delete restrict;
alter table film
  add constraint film_language_id_fkey foreign key (language_id) references language
    on update cascade on delete restrict,
  add constraint film_original_language_id_fkey foreign key (original_language_id) references language
    on update cascade on delete restrict;
alter table film_actor
  add constraint film_actor_actor_id_fkey foreign key (actor_id) references actor
    on update cascade on delete restrict,
  add constraint film_actor_film_id_fkey foreign key (film_id) references film
    on update cascade on delete restrict;
alter table film_category
  add constraint film_category_category_id_fkey foreign key (category_id) references category
    on update cascade on delete restrict,
  add constraint film_category_film_id_fkey foreign key (film_id) references film
    on update cascade on delete restrict;
alter table store
  add constraint store_address_id_fkey foreign key (address_id) references address
    on update cascade on delete restrict;
alter table staff
  add constraint staff_address_id_fkey foreign key (address_id) references address
    on update cascade on delete restrict,
  add constraint staff_store_id_fkey foreign key (store_id) references store;
alter table customer
  add constraint customer_address_id_fkey foreign key (address_id) references address
    on update cascade on delete restrict,
  add constraint customer_store_id_fkey foreign key (store_id) references store
    on update cascade on delete restrict;
alter table inventory
  add constraint inventory_film_id_fkey foreign key (film_id) references film
    on update cascade on delete restrict,
  add constraint inventory_store_id_fkey foreign key (store_id) references store
    on update cascade on delete restrict;
alter table rental
  add constraint rental_customer_id_fkey foreign key (customer_id) references customer
    on update cascade on delete restrict,
  add constraint rental_inventory_id_fkey foreign key (inventory_id) references inventory
    on update cascade on delete restrict,
  add constraint rental_staff_id_fkey foreign key (staff_id) references staff
    on update cascade on delete restrict;

create index film_fulltext_idx on film using gist (fulltext);
create index idx_actor_last_name on actor (last_name);
create index idx_fk_address_id on customer (address_id);
create index idx_fk_city_id on address (city_id);
create index idx_fk_country_id on city (country_id);
create index idx_fk_film_id on film_actor (film_id);
create index idx_fk_inventory_id on rental (inventory_id);
create index idx_fk_language_id on film (language_id);
create index idx_fk_original_language_id on film (original_language_id);
create index idx_fk_payment_p2022_01_customer_id on payment_p2022_01 (customer_id);
create index idx_fk_payment_p2022_01_staff_id on payment_p2022_01 (staff_id);
create index idx_fk_payment_p2022_02_customer_id on payment_p2022_02 (customer_id);
create index idx_fk_payment_p2022_02_staff_id on payment_p2022_02 (staff_id);
create index idx_fk_payment_p2022_03_customer_id on payment_p2022_03 (customer_id);
create index idx_fk_payment_p2022_03_staff_id on payment_p2022_03 (staff_id);
create index idx_fk_payment_p2022_04_customer_id on payment_p2022_04 (customer_id);
create index idx_fk_payment_p2022_04_staff_id on payment_p2022_04 (staff_id);
create index idx_fk_payment_p2022_05_customer_id on payment_p2022_05 (customer_id);
create index idx_fk_payment_p2022_05_staff_id on payment_p2022_05 (staff_id);
create index idx_fk_payment_p2022_06_customer_id on payment_p2022_06 (customer_id);
create index idx_fk_payment_p2022_06_staff_id on payment_p2022_06 (staff_id);
create index idx_fk_store_id on customer (store_id);
create index idx_last_name on customer (last_name);
create index idx_store_id_film_id on inventory (store_id, film_id);
create index idx_title on film (title);
create unique index idx_unq_manager_staff_id on store (manager_staff_id);
create unique index idx_unq_rental_rental_date_inventory_id_customer_id
  on rental (rental_date, inventory_id, customer_id);

create trigger last_updated before update on actor for each row execute function last_updated();
create trigger last_updated before update on address for each row execute function last_updated();
create trigger last_updated before update on category for each row execute function last_updated();
create trigger last_updated before update on city for each row execute function last_updated();
create trigger last_updated before update on country for each row execute function last_updated();
create trigger last_updated before update on customer for each row execute function last_updated();
create trigger last_updated before update on film for each row execute function last_updated();
create trigger last_updated before update on film_actor for each row execute function last_updated();
create trigger last_updated before update on film_category for each row execute function last_updated();
create trigger last_updated before update on inventory for each row execute function last_updated();
create trigger last_updated before update on language for each row execute function last_updated();
create trigger last_updated before update on rental for each row execute function last_updated();
create trigger last_updated before update on staff for each row execute function last_updated();
create trigger last_updated before update on store for each row execute function last_updated();
create trigger film_fulltext_trigger before insert or update on film
  for each row
  execute function tsvector_update_trigger('fulltext', 'pg_catalog.english', 'title', 'description');

create function inventory_in_stock(p_inventory_id integer) returns boolean
language plpgsql as $$
declare
  v_rentals integer;
  v_out integer;
begin
  select count(*) into v_rentals from rental where inventory_id = p_inventory_id;
  if v_rentals = 0 then
    return true;
  end if;
  select count(rental_id) into v_out
  from inventory
  left join rental using (inventory_id)
  where inventory.inventory_id = p_inventory_id and rental.return_date is null;
  return v_out = 0;
end
$$;

create function film_in_stock(p_film_id integer, p_store_id integer, out p_film_count integer)
returns setof integer
language sql as $$
  select inventory_id
  from inventory
  where film_id = $1 and store_id = $2 and inventory_in_stock(inventory_id)
$$;

create function film_not_in_stock(p_film_id integer, p_store_id integer, out p_film_count integer)
returns setof integer
language sql as $$
  select inventory_id
  from inventory
  where film_id = $1 and store_id = $2 and not inventory_in_stock(inventory_id)
$$;

create function inventory_held_by_customer(p_inventory_id integer) returns integer
language plpgsql as $$
declare
  v_customer_id integer;
begin
  select customer_id into v_customer_id
  from rental
  where return_date is null and inventory_id = p_inventory_id;
  return v_customer_id;
end
$$;

create view actor_info as
select
  a.actor_id, a.first_name, a.last_name,
  group_concat(distinct c.name || ': ' || f.title) as film_info
from actor a
left join film_actor fa on a.actor_id = fa.actor_id
left join film_category fc on fa.film_id = fc.film_id
left join category c on fc.category_id = c.category_id
left join film f on f.film_id = fa.film_id
group by a.actor_id;

create view customer_list as
select
  cu.customer_id as id, cu.first_name || ' ' || cu.last_name as name, a.address,
  a.postal_code as "zip code", a.phone, city.city, country.country,
  case when cu.activebool then 'active' else '' end as notes, cu.store_id as sid
from customer cu
join address a on cu.address_id = a.address_id
join city on a.city_id = city.city_id
join country on city.country_id = country.country_id;

create view film_list as
select
  film.film_id as fid, film.title, film.description, category.name as category,
  film.rental_rate as price, film.length, film.rating,
  group_concat(actor.first_name || ' ' || actor.last_name) as actors
from category
left join film_category on category.category_id = film_category.category_id
left join film on film_category.film_id = film.film_id
join film_actor on film.film_id = film_actor.film_id
join actor on film_actor.actor_id = actor.actor_id
group by film.film_id, film.title, film.description, category.name, film.rental_rate, film.length, film.rating;

create view sales_by_film_category as
select c.name as category, sum(p.amount) as total_sales
from payment p
join rental r on p.rental_id = r.rental_id
join inventory i on r.inventory_id = i.inventory_id
join film f on i.film_id = f.film_id
join film_category fc on f.film_id = fc.film_id
join category c on fc.category_id = c.category_id
group by c.name
order by sum(p.amount) desc;

create view sales_by_store as
select
  c.city || ',' || cy.country as store, m.first_name || ' ' || m.last_name as manager,
  sum(p.amount) as total_sales
from payment p
join rental r on p.rental_id = r.rental_id
join inventory i on r.inventory_id = i.inventory_id
join store s on i.store_id = s.store_id
join address a on s.address_id = a.address_id
join city c on a.city_id = c.city_id
join country cy on c.country_id = cy.country_id
join staff m on s.manager_staff_id = m.staff_id
group by cy.country, c.city, s.store_id, m.first_name, m.last_name
order by cy.country, c.city;

create view staff_list as
select
  s.staff_id as id, s.first_name || ' ' || s.last_name as name, a.address,
  a.postal_code as "zip code", a.phone, city.city, country.country, s.store_id as sid
from staff s
join address a on s.address_id = a.address_id
join city on a.city_id = city.city_id
join country on city.country_id = country.country_id;

create materialized view rental_by_category as
select c.name as category, sum(p.amount) as total_sales
from payment p
join rental r on p.rental_id = r.rental_id
join inventory i on r.inventory_id = i.inventory_id
join film f on i.film_id = f.film_id
join film_category fc on f.film_id = fc.film_id
join category c on fc.category_id = c.category_id
group by c.name
order by sum(p.amount) desc
with no data;

create unique index rental_category on rental_by_category (category);
