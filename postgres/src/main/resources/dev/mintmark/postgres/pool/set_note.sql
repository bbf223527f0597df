-- Writes about a claim that is held, in place of what was written. set_labels.sql follows in the same transaction.
--
-- Parameters: pool_id; token; keys and values (of the labels, in arrays of one length); dns_name; description (null:
--   none). Locks: the note. Changes no row if no value is held with this token.
insert into mintmark.pool_claim_note (pool_id, token, labels, dns_name, description)
select pool_id, token, jsonb_object(:keys::text[], :values::text[]), :dns_name::text, :description::text
from mintmark.pool_claim
where pool_id = :pool_id
  and token = :token
  and slice_id is null
  and (expires_at is null or expires_at > now())
on conflict (pool_id, token) do update
set labels = excluded.labels, dns_name = excluded.dns_name, description = excluded.description
