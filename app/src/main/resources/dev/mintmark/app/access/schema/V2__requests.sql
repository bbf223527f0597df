-- Requests: the audit names the HTTP request, and a request that creates a key can be repeated.

alter table mintmark.access_audit add column request_id text;

comment on column mintmark.access_audit.request_id is
  'X-Request-Id of the request, as log lines and problems have it; null: a command, or an entry of an earlier version';

alter table mintmark.access_key add column idempotency_key text;

create unique index access_key_request on mintmark.access_key (created_by, idempotency_key)
  where idempotency_key is not null;

comment on column mintmark.access_key.idempotency_key is
  'Idempotency-Key of the request that created it: the same actor creates one key with it';
