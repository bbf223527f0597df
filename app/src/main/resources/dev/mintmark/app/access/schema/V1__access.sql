-- Keys of the HTTP API, and the audit of what was changed. The text of a key is stored nowhere.

create table mintmark.access_key (
  key_id       text primary key check (key_id ~ '^[0-9a-hjkmnp-tv-z]{10}$'),
  name         text not null,
  secret_hash  bytea not null check (pg_catalog.length(secret_hash) = 32),
  scopes       text[] not null check (pg_catalog.cardinality(scopes) > 0),
  owner        text,
  created_at   timestamptz not null default pg_catalog.now(),
  created_by   text not null,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);

comment on column mintmark.access_key.secret_hash is 'SHA-256 of the text of the key';
comment on column mintmark.access_key.owner is 'the owner whose claims alone the key shows and changes; null: all';
comment on column mintmark.access_key.last_used_at is 'written at most once a minute';

create table mintmark.access_audit (
  audit_id   bigint generated always as identity primary key,
  at         timestamptz not null,
  actor      text not null,
  actor_name text not null,
  source     text not null,
  action     text not null,
  target     text not null,
  detail     text not null,
  outcome    text
);

create index access_audit_at on mintmark.access_audit (at);
create index access_audit_actor on mintmark.access_audit (actor, audit_id);

comment on column mintmark.access_audit.actor is 'key:ID, command:USER, or loopback without accounts';
comment on column mintmark.access_audit.outcome is 'HTTP status or exit status; null: the process ended before it was known';
