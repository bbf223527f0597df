-- Revokes a key that is not revoked yet.
-- Parameters: key_id
-- Locks: the row of the key
update mintmark.access_key
set revoked_at = pg_catalog.now()
where key_id = :key_id and revoked_at is null
