-- Lists all keys, also those that were revoked or have expired, the latest first.
select key_id, name, secret_hash, scopes, owner, created_at, created_by, expires_at, revoked_at, last_used_at
from mintmark.access_key
order by created_at desc, key_id
