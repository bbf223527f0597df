-- Deletes what is written about claims that are neither held nor in the history.
--
-- Parameters: pool_id (null: every pool); batch (the most notes of all pools). Locks: the notes, skipping locked ones.
-- Returns how many. Reads all notes of the pools, with two index searches for each.
with orphans as materialized (
  select note.ctid as row_id
  from mintmark.pool_claim_note note
  where (:pool_id::integer is null or note.pool_id = :pool_id::integer)
    and not exists (
      select from mintmark.pool_claim held where held.pool_id = note.pool_id and held.token = note.token)
    and not exists (
      select from mintmark.pool_history past where past.pool_id = note.pool_id and past.token = note.token)
  limit :batch
  for update of note skip locked
),
deleted as (
  delete from mintmark.pool_claim_note
  where ctid = any (array(select row_id from orphans))
  returning 1
)
select count(*) as pruned from deleted
