-- Returns what is written about claims, held or ended; a row without a token if that is nothing, and no row if the pool
-- was deleted or moved. Parameters: pool_id; tokens. Locks: none.
select
  token,
  dns_name,
  description,
  array(select label.key from jsonb_each_text(labels) as label order by label.key) as keys,
  array(select label.value from jsonb_each_text(labels) as label order by label.key) as values
from mintmark.pool
left join mintmark.pool_claim_note
  on pool_claim_note.pool_id = pool.pool_id
  and token = any (:tokens::bigint[])
where pool.pool_id = :pool_id
