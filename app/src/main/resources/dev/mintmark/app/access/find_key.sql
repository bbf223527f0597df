-- Finds a key.
-- Parameters: key_id
select key_id, name, secret_hash, scopes, owner, created_at, created_by, expires_at, revoked_at, last_used_at
from mintmark.access_key
where key_id = :key_id
