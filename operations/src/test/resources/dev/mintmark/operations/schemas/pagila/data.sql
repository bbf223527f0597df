-- Rows of our own for the tables of Pagila: the same in every database they are put into.
insert into language (name) values ('English'), ('Italian'), ('Japanese'), ('Mandarin'), ('French'), ('German');
insert into category (name)
select 'Category ' || n from generate_series(1, 16) n;
insert into actor (first_name, last_name)
select 'First ' || n, 'Last ' || n % 121 from generate_series(1, 200) n;
insert into country (country)
select 'Country ' || n from generate_series(1, 109) n;
insert into city (city, country_id)
select 'City ' || n, 1 + n % 109 from generate_series(1, 600) n;
insert into address (address, district, city_id, postal_code, phone)
select n || ' Street', 'District ' || n % 378, 1 + n % 600, lpad(n::text, 5, '0'), lpad((n * 7919)::text, 12, '0')
from generate_series(1, 603) n;
insert into film (title, description, release_year, language_id, rental_duration, length, rating, special_features)
select
  'Film ' || n, 'A tale of ' || n, 1990 + n % 30, 1, 3 + n % 5, 46 + n % 140,
  (enum_range(null::mpaa_rating))[1 + n % 5], array['Trailers']
from generate_series(1, 1000) n;
insert into film_actor (actor_id, film_id)
select 1 + (film * 7 + part * 31) % 200, film from generate_series(1, 1000) film, generate_series(1, 3) part;
insert into film_category (film_id, category_id)
select n, 1 + n % 16 from generate_series(1, 1000) n;
insert into store (manager_staff_id, address_id) values (1, 1), (2, 2);
insert into staff (first_name, last_name, address_id, email, store_id, username)
values ('Ann', 'Able', 3, 'ann@example.com', 1, 'ann'), ('Bo', 'Baker', 4, 'bo@example.com', 2, 'bo');
insert into customer (store_id, first_name, last_name, email, address_id, create_date, active)
select 1 + n % 2, 'First ' || n, 'Last ' || n, n || '@example.com', 4 + n, '2022-01-01', 1
from generate_series(1, 599) n;
insert into inventory (film_id, store_id)
select 1 + n % 1000, 1 + n % 2 from generate_series(1, 2000) n;
insert into rental (rental_date, inventory_id, customer_id, return_date, staff_id)
select
  timestamptz '2022-01-02 00:00:00+00' + n * interval '1 hour', 1 + n % 2000, 1 + n % 599,
  timestamptz '2022-01-05 00:00:00+00' + n * interval '1 hour', 1 + n % 2
from generate_series(1, 4000) n;
insert into payment (customer_id, staff_id, rental_id, amount, payment_date)
select 1 + n % 599, 1 + n % 2, n, 0.99 + n % 9, timestamptz '2022-01-02 00:00:00+00' + n * interval '1 hour'
from generate_series(1, 4000) n;
refresh materialized view rental_by_category;
