-- Rows of our own for the tables of Chinook, with keys given as its own rows have them: the same in
-- every database they are put into.
insert into genre (genre_id, name)
select n, 'Genre ' || n from generate_series(1, 25) n;
insert into media_type (media_type_id, name)
select n, 'Media ' || n from generate_series(1, 5) n;
insert into artist (artist_id, name)
select n, 'Artist ' || n from generate_series(1, 275) n;
insert into album (album_id, title, artist_id)
select n, 'Album ' || n, 1 + n % 275 from generate_series(1, 347) n;
insert into track (track_id, name, album_id, media_type_id, genre_id, milliseconds, bytes, unit_price)
select n, 'Track ' || n, 1 + n % 347, 1 + n % 5, 1 + n % 25, 100000 + n * 37, 3000000 + n * 1009, 0.99
from generate_series(1, 3503) n;
insert into employee (employee_id, last_name, first_name, reports_to)
select n, 'Last ' || n, 'First ' || n, nullif(n / 2, 0) from generate_series(1, 8) n;
insert into customer (customer_id, first_name, last_name, email, support_rep_id)
select n, 'First ' || n, 'Last ' || n, n || '@example.com', 3 + n % 3 from generate_series(1, 59) n;
insert into invoice (invoice_id, customer_id, invoice_date, total)
select n, 1 + n % 59, timestamp '2021-01-01' + n * interval '4 days', 1 + n % 25 from generate_series(1, 412) n;
insert into invoice_line (invoice_line_id, invoice_id, track_id, unit_price, quantity)
select n, 1 + n % 412, 1 + n * 3 % 3503, 0.99, 1 from generate_series(1, 2240) n;
insert into playlist (playlist_id, name)
select n, 'Playlist ' || n from generate_series(1, 18) n;
insert into playlist_track (playlist_id, track_id)
select 1 + n % 18, 1 + n * 2 % 3503 from generate_series(0, 3502) n;
-- What the sequences give next follows the keys that were given.
select setval('album_album_id_seq', 347), setval('artist_artist_id_seq', 275), setval('customer_customer_id_seq', 59),
  setval('employee_employee_id_seq', 8), setval('genre_genre_id_seq', 25), setval('invoice_invoice_id_seq', 412),
  setval('invoice_line_invoice_line_id_seq', 2240), setval('media_type_media_type_id_seq', 5),
  setval('playlist_playlist_id_seq', 18), setval('track_track_id_seq', 3503);
