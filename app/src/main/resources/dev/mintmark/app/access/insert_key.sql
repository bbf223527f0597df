-- Stores a new key, unless keys_max keys are in use, or the same actor has created one with the same idempotency key.
-- Parameters: key_id, name, secret_hash, scopes, owner, created_by, expires_at, idempotency_key (may be null), keys_max
-- Returns: when it was created; no row if there are too many, or it was created before
insert into mintmark.access_key (key_id, name, secret_hash, scopes, owner, created_by, expires_at, idempotency_key)
select :key_id, :name, :secret_hash, :scopes, :owner, :created_by, :expires_at::timestamptz, :idempotency_key
where (select pg_catalog.count(*) from mintmark.access_key where revoked_at is null) < :keys_max
on conflict (created_by, idempotency_key) where idempotency_key is not null do nothing
returning created_at
