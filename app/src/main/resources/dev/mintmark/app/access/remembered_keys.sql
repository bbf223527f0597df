-- Reads the keys that a server remembers: those in use, and those revoked or expired a day ago at most, so that their
-- holders are told why they are rejected. If there are none, any other key says that accounts are on.
with known as (
  select key_id, name, secret_hash, scopes, owner, created_at, created_by, expires_at, revoked_at, last_used_at
  from mintmark.access_key
  where least(revoked_at, expires_at) is null or least(revoked_at, expires_at) > pg_catalog.now() - interval '1 day'
)
select * from known
union all
(
  select key_id, name, secret_hash, scopes, owner, created_at, created_by, expires_at, revoked_at, last_used_at
  from mintmark.access_key
  where not exists (select from known)
  limit 1
)
