-- Gives values of a slice back that were not granted: they are free at once, or in quarantine while their block is closed.
--
-- Parameters: pool_id; slice_id; tokens (of the values). Locks: the rows. Returns how many, and whether the pool had
-- nothing to hand out before.
with returned as (
  delete from mintmark.pool_claim
  where pool_id = :pool_id and slice_id = :slice_id and token = any (:tokens::bigint[])
  returning block_id, place, previous_end
),
given as (
  select returned.*, not_before, coalesce(not_before > now(), false) as closed, draining or place <@ excluded_places as withdrawn
  from returned
  join mintmark.pool_block using (block_id)
),
freed as (
  insert into mintmark.pool_free (pool_id, block_id, place, held_until)
  select :pool_id, block_id, place, previous_end
  from given
  where not closed
),
quarantined as (
  insert into mintmark.pool_quarantine (pool_id, block_id, place, until, held_until)
  select :pool_id, block_id, place, not_before, previous_end
  from given
  where closed
)
select
  count(*) as returned,
  coalesce(bool_or(not closed and not withdrawn), false)
    and not exists (select from mintmark.pool_free where pool_id = :pool_id) as woke
from given
