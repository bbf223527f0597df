-- Deletes what is written about a claim, with its labels. Parameters: pool_id; token. Locks: the note.
delete from mintmark.pool_claim_note where pool_id = :pool_id and token = :token
