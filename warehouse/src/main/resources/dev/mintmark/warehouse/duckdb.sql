-- A placeholder, to be replaced by all of them: the 26 characters of a ULID.
create or replace macro mintmark.ulid_text(id) as id::varchar;
