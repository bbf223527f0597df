-- Lists why rows of a table cannot be adopted (PoolAdoption creates pg_temp.mintmark_adopted with those that have a client).
--
-- Parameters: pool_id; limit. Locks: none. Claims whose lease was over when the transaction began are none.
select problem
from (
  select format('value %s: no block of the pool has it', mintmark.pool_quoted(value)) as problem
  from pg_temp.mintmark_adopted
  where block_id is null
  union all
  select format('value %s: %s rows have it', mintmark.pool_quoted(min(value)), count(*))
  from pg_temp.mintmark_adopted
  where block_id is not null
  group by block_id, place
  having count(*) > 1
  union all
  select format('value %s: the pool excludes it', mintmark.pool_quoted(value))
  from pg_temp.mintmark_adopted adopted
  join mintmark.pool_block using (block_id)
  where adopted.place <@ excluded_places
  union all
  select format('value %s: client %s holds it in the pool', mintmark.pool_quoted(value), mintmark.pool_quoted(held.client))
  from pg_temp.mintmark_adopted adopted
  join mintmark.pool_claim held using (block_id, place)
  where held.pool_id = :pool_id and held.client <> adopted.client and (expires_at is null or expires_at > now())
  union all
  select format('client %s: expected 1 to 255 characters without control characters', mintmark.pool_quoted(client))
  from pg_temp.mintmark_adopted
  where length(client) not between 1 and 255 or client ~ '[\u0001-\u001f\u007f-\u009f]'
  union all
  select format('client %s: it holds %s values, the pool allows %s', mintmark.pool_quoted(client), count(*), per_client)
  from (
    select client, block_id, place from pg_temp.mintmark_adopted
    union
    select client, block_id, place
    from mintmark.pool_claim
    where pool_id = :pool_id and (expires_at is null or expires_at > now())
  ) as holding
  cross join (select per_client from mintmark.pool where pool_id = :pool_id) as pool
  where client in (select client from pg_temp.mintmark_adopted)
  group by client, per_client
  having count(*) > per_client
  union all
  select format('value %s: it has no owner, and the pool limits owners', mintmark.pool_quoted(value))
  from pg_temp.mintmark_adopted
  where owner is null and exists (select from mintmark.pool where pool_id = :pool_id and per_owner is not null)
) as found
order by problem
limit :limit
