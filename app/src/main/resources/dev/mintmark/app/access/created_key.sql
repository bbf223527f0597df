-- Finds the key that an actor has created with an idempotency key.
-- Parameters: created_by, idempotency_key
select key_id
from mintmark.access_key
where created_by = :created_by and idempotency_key = :idempotency_key
