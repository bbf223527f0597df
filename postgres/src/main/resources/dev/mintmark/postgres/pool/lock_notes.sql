-- Locks the notes and the gate of a pool that leaves: new ones wait for the row of the pool, changed ones do not.
-- Parameters: pool_id. Locks: those rows.
select
  (select count(*) from (
    select from mintmark.pool_claim_note where pool_id = :pool_id order by token for update) as note) as notes,
  (select count(*) from (select from mintmark.pool_gate where pool_id = :pool_id for update) as gate) as gates
