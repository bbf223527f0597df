-- Returns what is written about claims, held or ended. Parameters: pool_id; tokens. Locks: none.
select
  token,
  dns_name,
  description,
  array(select label.key from jsonb_each_text(labels) as label order by label.key) as keys,
  array(select label.value from jsonb_each_text(labels) as label order by label.key) as values
from mintmark.pool_claim_note
where pool_id = :pool_id
  and token = any (:tokens::bigint[])
