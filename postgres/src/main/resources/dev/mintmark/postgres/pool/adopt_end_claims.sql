-- Ends the claims whose lease is over and that no sweep has ended yet: those of the values in pg_temp.mintmark_adopted, and
-- of their clients. Parameters: pool_id. Locks: the claims.
select
  mintmark.pool_end_claims(
    pool,
    array(
      select token
      from mintmark.pool_claim held
      where held.pool_id = :pool_id and expires_at <= clock_timestamp()
        and (
          (block_id, place) in (select block_id, place from pg_temp.mintmark_adopted)
          or client in (select client from pg_temp.mintmark_adopted))
      for update)) as freed
from mintmark.pool
where pool_id = :pool_id
