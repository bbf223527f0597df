-- Makes the labels that are searched those of the note. Parameters: pool_id; token. Locks: the labels of the claim; the
-- transaction has locked its note.
with wanted as (
  select label.key, label.value
  from mintmark.pool_claim_note as note
  cross join lateral jsonb_each_text(note.labels) as label
  where note.pool_id = :pool_id and note.token = :token
),
unwanted as (
  delete from mintmark.pool_claim_label
  where pool_id = :pool_id and token = :token and key not in (select key from wanted)
)
insert into mintmark.pool_claim_label (pool_id, token, key, value)
select :pool_id, :token, key, value
from wanted
on conflict (pool_id, token, key) do update set value = excluded.value
