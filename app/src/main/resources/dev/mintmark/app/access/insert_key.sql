-- Stores a new key, unless keys_max keys are in use.
-- Parameters: key_id, name, secret_hash, scopes, owner, created_by, expires_at, keys_max
-- Returns: when it was created; no row if there are too many
insert into mintmark.access_key (key_id, name, secret_hash, scopes, owner, created_by, expires_at)
select :key_id, :name, :secret_hash, :scopes, :owner, :created_by, :expires_at::timestamptz
where (select pg_catalog.count(*) from mintmark.access_key where revoked_at is null) < :keys_max
returning created_at
