-- Holds the rows of owners whose claims are about to be counted, and gives them one where they have none. An owner that
-- another session holds at the moment is passed over.
--
-- Should this session be left hanging, the server ends it: others wait for its rows.
--
-- Parameters: pool_id; owners. Locks: the rows, skipping locked ones, until the transaction ends.
with known as materialized (
  select owner
  from mintmark.pool_owner
  where pool_id = :pool_id and owner = any (:owners::text[])
  order by owner
  for update skip locked
),
fresh as (
  insert into mintmark.pool_owner (pool_id, owner)
  select :pool_id, owner
  from unnest(:owners::text[]) as asked (owner)
  where not exists (select from mintmark.pool_owner where pool_id = :pool_id and pool_owner.owner = asked.owner)
  order by owner
  on conflict (pool_id, owner) do nothing
  returning owner
)
select owner from known
union all
select owner from fresh
